import { InteractionType } from 'discord-api-types/v10';
import { z } from 'zod';
import { texts } from '@/lib/bot-texts';
import { AppError } from '@/lib/errors';
import { TaskProblem } from '@/lib/features/tasks/task-problem';
import { parseBody } from '@/lib/http/read-body';
import { log } from '@/lib/log';
import { withLogIds } from '@/lib/log-ids';
import { throughDoor } from '@/lib/queue/after-doors';
import {
  findComponent,
  findDirectButton,
  findDirectModal,
  findMessageAction,
  findModal,
  findSubcommand,
} from './commands';
import { giveBack, writtenIn } from './entered-text';
import {
  type Call,
  type Interaction,
  interactionSchema,
  toCall,
  toCommand,
  toCustomId,
  toDirectCall,
  toFields,
  toTarget,
} from './interaction';
import { type Answer, pong, privateReply, type Reply, suggestions } from './reply';

// Replies are small and Discord waits three seconds: do not compress.
const UNCOMPRESSED = { headers: { 'cache-control': 'no-store, no-transform' } };

/** The door for Discord: answers one verified interaction. Throws `invalid_json` or `invalid_input`. */
export function handleInteraction(raw: string): Promise<Response> {
  return throughDoor(() => respond(raw));
}

async function respond(raw: string): Promise<Response> {
  const body = parseBody(raw);
  if (isPing(body)) return Response.json(pong, UNCOMPRESSED);
  const interaction = toInteraction(body);
  const { id: interactionId, type } = interaction;
  const reply = await withLogIds({ interactionId }, () => answer(interaction));
  log.debug({ interactionId, type }, 'interaction answered');
  return Response.json(reply, UNCOMPRESSED);
}

async function answer(interaction: Interaction): Promise<Reply> {
  const { id } = interaction;
  try {
    const call = toCall(interaction);
    return call ? await route(interaction, call) : await routeDirect(interaction);
  } catch (error) {
    if (error instanceof TaskProblem) return say(interaction, texts.problems[error.reason]);
    // The person needs an answer; its reference is the id under which the log has the error.
    log.error({ err: error, interactionId: id }, 'interaction failed');
    return say(interaction, { content: texts.failed(id), ...giveBack(writtenIn(toFields(interaction))) });
  }
}

// Outside a server only the buttons of the bot's own messages exist, and the modals that they open.
async function routeDirect(interaction: Interaction): Promise<Reply> {
  const { name } = toCustomId(interaction);
  const call = toDirectCall(interaction);
  const button = interaction.type === InteractionType.MessageComponent ? findDirectButton(name) : undefined;
  if (button && call) return button(call);
  const form = interaction.type === InteractionType.ModalSubmit ? findDirectModal(name) : undefined;
  return form && call ? form({ ...call, fields: toFields(interaction) }) : say(interaction, texts.serverOnly);
}

// Suggestions cannot show a sentence; the command itself says what is wrong.
function say({ type }: Interaction, answer: string | Answer): Reply {
  return type === InteractionType.ApplicationCommandAutocomplete ? suggestions([]) : privateReply(answer);
}

async function route(interaction: Interaction, call: Call): Promise<Reply> {
  const { type, data, message } = interaction;
  if (type === InteractionType.ApplicationCommandAutocomplete) {
    const { name, typed } = toCommand(interaction);
    const suggest = findSubcommand(name)?.suggest;
    return suggest && typed !== undefined ? suggest({ ...call, typed }) : suggestions([]);
  }
  if (type === InteractionType.MessageComponent) {
    const { name, args } = toCustomId(interaction);
    const run = findComponent(name);
    if (!run) return privateReply(texts.unknownControl);
    return run({ ...call, args, values: data?.values ?? [], messageId: message?.id ?? null });
  }
  if (type === InteractionType.ModalSubmit) {
    const { name, args } = toCustomId(interaction);
    const run = findModal(name);
    if (!run) return privateReply(texts.unknownControl);
    return run({ ...call, args, fields: toFields(interaction), messageId: message?.id ?? null });
  }
  if (type !== InteractionType.ApplicationCommand) return privateReply(texts.unknownCommand);
  return runCommand(interaction, call);
}

async function runCommand(interaction: Interaction, call: Call): Promise<Reply> {
  const target = toTarget(interaction);
  const action = findMessageAction(interaction.data?.name ?? '');
  if (target && action) return action({ ...call, message: target });
  const { name, options } = toCommand(interaction);
  const run = findSubcommand(name)?.run;
  return run ? run({ ...call, options }) : privateReply(texts.unknownCommand);
}

const pingSchema = z.object({ type: z.literal(InteractionType.Ping) });
const isPing = (body: unknown) => pingSchema.safeParse(body).success;

function toInteraction(body: unknown): Interaction {
  const parsed = interactionSchema.safeParse(body);
  if (!parsed.success) throw new AppError('invalid_input', 'This is not an interaction.');
  return parsed.data;
}
