import { AppError } from '@/lib/errors';
import { log } from '@/lib/log';
import { findSubcommand } from './commands';
import { INTERACTION, type Interaction, interactionSchema, toCommandCall } from './interaction';
import { pong, privateReply } from './reply';

const UNKNOWN = 'This command is not known any more. Discord shows the new ones in a moment.';
const SERVER_ONLY = 'Use this command in a server that Pagewire is connected to.';

/** The Discord door: answers one verified interaction. Throws `invalid_json` or `invalid_input`. */
export async function handleInteraction(raw: string): Promise<Response> {
  const interaction = parse(raw);
  if (interaction.type === INTERACTION.ping) return Response.json(pong);
  if (interaction.type === INTERACTION.command) return Response.json(await runCommand(interaction));
  return Response.json(privateReply(UNKNOWN));
}

async function runCommand(interaction: Interaction) {
  const run = findSubcommand(interaction.data?.options?.[0]?.name ?? '');
  if (!run) return privateReply(UNKNOWN);
  const call = toCommandCall(interaction);
  if (!call) return privateReply(SERVER_ONLY);
  try {
    return await run(call);
  } catch (error) {
    // The person needs an answer, and the same id in the log says what happened.
    log.error({ err: error, interactionId: interaction.id }, 'command failed');
    return privateReply(`Something went wrong. Reference: ${interaction.id}`);
  }
}

function parse(raw: string): Interaction {
  let body: unknown;
  try {
    body = JSON.parse(raw);
  } catch {
    throw new AppError('invalid_json', 'The request body is not valid JSON.');
  }
  const parsed = interactionSchema.safeParse(body);
  if (!parsed.success) throw new AppError('invalid_input', 'This is not an interaction.');
  return parsed.data;
}
