import { createPrivateKey, randomUUID, sign } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { PEOPLE } from '../sandbox/people';
import type { BenchProduct } from './bench-product';
import type { BenchStory } from './bench-story';
import { type Figures, figures, timed } from './measure';
import type { Post, Sender } from './sender';
import { untilIdle } from './until-idle';

const DOOR = '/api/discord/interactions';
const NOTION_MS = 200;
const LOOK_EVERY_MS = 2;
const LIMIT_MS = 20_000;
const DEFERRED = 5;
const [MIRA] = PEOPLE;

interface Card {
  id: string;
  edits: number;
  components: { components: { label?: string; custom_id?: string }[] }[];
}

let interactionId = 10_000;

/**
 * How long Discord's door takes to acknowledge interactions of every kind, with `inFlight` at once, in rounds of
 * `perRound`. Between two rounds all jobs finish.
 */
export async function measureAcknowledgement(
  product: BenchProduct,
  story: BenchStory,
  sender: Sender,
  { rounds, perRound, inFlight }: { rounds: number; perRound: number; inFlight: number },
): Promise<Figures> {
  const durations: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    durations.push(...(await sendInteractions(product, story, sender, { count: perRound, inFlight })));
    await untilIdle(product.database);
  }
  return figures(durations);
}

/** Sends interactions of every kind, and returns how long the door took to acknowledge each, in milliseconds. */
export async function sendInteractions(
  product: BenchProduct,
  story: BenchStory,
  sender: Sender,
  { count, inFlight }: { count: number; inFlight: number },
): Promise<number[]> {
  const kinds = await listKinds(product, story);
  const guildId = await guildOf(product);
  const posts = Array.from({ length: count }, (_, index) =>
    toPost(product, guildId, story.channelId, kinds[index % kinds.length] ?? {}),
  );
  const sent = await sender.send({ url: `${product.appUrl}${DOOR}`, posts, inFlight });
  const refused = sent.find(({ status }) => status !== 200);
  if (refused) throw new Error(`The door answered ${refused.status} ${refused.text}`);
  return sent.map(({ ms }) => ms);
}

/** One interaction of every kind: those that the door answers itself, and those that a job finishes. */
async function listKinds(product: BenchProduct, story: BenchStory): Promise<object[]> {
  const command = (name: string, options: object[] = []) => ({
    type: 2,
    data: { name: 'notion', type: 1, options: [{ name, type: 1, options }] },
  });
  const suggesting = command('task', [{ name: 'database', type: 3, value: 'spr', focused: true }]);
  const card = (await listCards(product, story)).at(-1);
  const press = (label: string) => {
    const button = card?.components[0]?.components.find((each) => each.label === label);
    if (!card || !button) throw new Error('There is no card to press');
    return { type: 3, message: { id: card.id }, data: { custom_id: button.custom_id, component_type: 2 } };
  };
  return [
    command('help'),
    command('task'),
    command('find', [{ name: 'title', type: 3, value: 'golem' }]),
    command('my-tasks'),
    { ...suggesting, type: 4 },
    press('Change status'),
    press('Assign to me'),
  ];
}

/** The time from pressing "Assign to me" until the card shows it, with a slow Notion. */
export async function measurePressToCard(
  product: BenchProduct,
  story: BenchStory,
  presses: number,
): Promise<Figures> {
  const guildId = await guildOf(product);
  const slow = {
    target: 'notion',
    kind: 'slow',
    times: 0,
    delayMs: NOTION_MS,
    match: '/v1/pages',
    status: 500,
  };
  product.sandbox.context.faults.add(slow as Parameters<typeof product.sandbox.context.faults.add>[0]);
  const durations: number[] = [];
  for (const page of story.pageIds) {
    await product.control('notion', 'PATCH', '/rows', { page, as: 'jonas', properties: { Assignee: [] } });
  }
  await untilIdle(product.database);
  for (let press = 0; press < presses; press += 1) {
    const card = (await listCards(product, story)).at(-1 - press);
    const button = card?.components[0]?.components.find(({ label }) => label === 'Assign to me');
    if (!card || !button) throw new Error('There is no card to press');
    durations.push(
      await timed(async () => {
        const type = await send(product, guildId, story.channelId, {
          type: 3,
          message: { id: card.id },
          data: { custom_id: button.custom_id, component_type: 2 },
        });
        if (type !== DEFERRED) throw new Error(`The press was answered with ${type}`);
        await untilEdited(product, story, card);
      }),
    );
  }
  product.sandbox.context.faults.clear();
  return figures(durations);
}

async function untilEdited(product: BenchProduct, story: BenchStory, card: Card): Promise<void> {
  const start = performance.now();
  for (;;) {
    const now = (await listCards(product, story)).find(({ id }) => id === card.id);
    if (now && now.edits > card.edits) return;
    if (performance.now() - start > LIMIT_MS) throw new Error('The card did not change');
    await wait(LOOK_EVERY_MS);
  }
}

async function listCards(product: BenchProduct, { channelId }: BenchStory): Promise<Card[]> {
  const answer = await product.control('discord', 'GET', `/channels/${channelId}/messages`);
  return (answer as { messages: Card[] }).messages.filter(({ components }) => components.length > 0);
}

/** Sends a signed interaction as Mira. Returns the type of the answer. */
async function send(
  product: BenchProduct,
  guildId: string,
  channelId: string,
  interaction: object,
): Promise<number> {
  const post = toPost(product, guildId, channelId, interaction);
  const response = await fetch(`${product.appUrl}${DOOR}`, { method: 'POST', ...post });
  if (response.status !== 200) throw new Error(`The door answered ${response.status}`);
  return ((await response.json()) as { type: number }).type;
}

/** A new interaction of Mira's, signed as Discord signs. */
function toPost({ sandbox }: BenchProduct, guildId: string, channelId: string, interaction: object): Post {
  interactionId += 1;
  const body = JSON.stringify({
    id: String(interactionId),
    // Discord limits answers by token, and gives each interaction its own.
    token: randomUUID(),
    guild_id: guildId,
    channel_id: channelId,
    member: { user: { id: MIRA?.discordId, username: MIRA?.discordUsername } },
    ...interaction,
  });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const key = createPrivateKey(sandbox.context.credentials.discord.privateKey);
  const headers = {
    'content-type': 'application/json',
    'x-signature-ed25519': sign(null, Buffer.from(timestamp + body), key).toString('hex'),
    'x-signature-timestamp': timestamp,
  };
  return { headers, body };
}

async function guildOf(product: BenchProduct): Promise<string> {
  const { rows } = await product.database.query(
    'select guild_id as "guildId" from discord_server order by installed_at limit 1',
  );
  return rows[0]?.guildId ?? '';
}
