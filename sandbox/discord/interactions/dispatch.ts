import { randomBytes } from 'node:crypto';
import { type APIMessage, type InteractionType, MessageType } from 'discord-api-types/v10';
import { DiscordError } from '../discord-error';
import type { StoredInteraction, StoredMessage } from '../state';
import type { World } from '../world';
import { acknowledge } from './acknowledge';
import { buildPayload } from './payload';
import { interactionsUrl, signedPost } from './signed-post';

const LIMIT_MS = 3000;
const SEND_TIMEOUT_MS = 10_000;
const KEPT = 300;

export interface InteractionStart {
  type: InteractionType;
  /** For logs, faults and the line above a reply, e.g. "notion task". */
  name: string;
  userId: string;
  channelId: string;
  data: unknown;
  source?: StoredMessage | undefined;
  answerType?: MessageType;
}

/** Sends a signed interaction to the application and waits for its response until the limit. */
export async function dispatch(world: World, start: InteractionStart): Promise<StoredInteraction> {
  const interaction = open(world, start);
  const payload = buildPayload(world, interaction, start.data, start.source);
  const answered = new Promise<void>((resolve) => world.waiting.set(interaction.id, resolve));
  const limitMs = world.context.interactionLimitMs ?? LIMIT_MS;
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  deliver(world, interaction, payload);
  await Promise.race([answered, deadline]);
  clearTimeout(timer);
  world.waiting.delete(interaction.id);
  if (interaction.status === 'pending') fail(world, interaction, `No answer within ${limitMs} ms.`);
  return interaction;
}

function open(
  world: World,
  { type, name, userId, channelId, source, answerType }: InteractionStart,
): StoredInteraction {
  const interaction: StoredInteraction = {
    id: world.nextId(),
    token: randomBytes(60).toString('base64url'),
    type,
    name,
    userId,
    channelId,
    guildId: world.channel(channelId)?.guildId ?? null,
    createdAt: world.now().toISOString(),
    status: 'pending',
    answer: null,
    answerType: answerType ?? MessageType.Default,
    originalId: null,
    sourceId: source?.id ?? null,
    modal: null,
    choices: null,
    problem: null,
  };
  world.state.interactions = [...world.state.interactions.slice(-KEPT), interaction];
  world.save();
  return interaction;
}

function deliver(world: World, interaction: StoredInteraction, payload: { message?: APIMessage }): void {
  const call = `POST ${new URL(interactionsUrl(world)).pathname} ${interaction.name}`;
  const fault = world.context.faults.take('interaction', ['drop', 'duplicate', 'delay'], call);
  if (fault?.kind === 'drop') {
    fail(world, interaction, 'The sandbox dropped the interaction.');
    return;
  }
  const times = fault?.kind === 'duplicate' ? 2 : 1;
  const send = () => {
    for (let sent = 0; sent < times; sent += 1) void sendOnce(world, interaction, payload);
  };
  if (fault?.kind === 'delay') void world.context.faults.wait(fault).then(send);
  else send();
}

async function sendOnce(world: World, interaction: StoredInteraction, payload: unknown): Promise<void> {
  try {
    const signal = AbortSignal.timeout(Math.max(SEND_TIMEOUT_MS, world.context.interactionLimitMs ?? 0));
    const response = await signedPost(world, interactionsUrl(world), payload, { signal });
    const text = await response.text();
    if (interaction.status !== 'pending') return;
    if (response.status === 202 && !text) return;
    if (response.status !== 200)
      return fail(world, interaction, `The application answered ${response.status}.`);
    acknowledge(world, interaction, JSON.parse(text));
  } catch (error) {
    if (interaction.status === 'pending') fail(world, interaction, explain(error));
  }
}

function fail(world: World, interaction: StoredInteraction, problem: string): void {
  interaction.status = 'failed';
  interaction.problem = problem;
  world.save();
  world.waiting.get(interaction.id)?.();
}

function explain(error: unknown): string {
  if (error instanceof DiscordError)
    return `${error.message} (${error.code}) ${JSON.stringify(error.errors ?? {})}`;
  return error instanceof Error ? error.message : String(error);
}
