import type { BenchProduct } from './bench-product';

/** Mira's account, connected, with rules for one database. */
export interface BenchStory {
  databaseId: string;
  /** Rows of the database. */
  pageIds: string[];
  channelId: string;
  /** The property that the rules watch. */
  estimateId: string;
  botId: string;
  workspaceId: string;
}

interface Guild {
  id: string;
  name: string;
  channels: { id: string; name: string; type: number }[];
}

interface Catalog {
  id: string;
  dataSourceId: string;
  name: string;
  properties: { id: string; name: string }[];
}

const BOT_PERMISSIONS = '309237730304';

const OAUTH_FLOWS = [
  { path: '/api/discord/bot-install/url', method: 'GET' },
  { path: '/api/app/setup/connect-notion', method: 'POST', body: { returnTo: '/setup' } },
];

/** Connects both sides through the stand-ins' own pages and makes `rules` rules that watch Estimate. */
export async function tellStory(
  product: Pick<BenchProduct, 'api' | 'control' | 'database'>,
  rules: number,
): Promise<BenchStory> {
  const guild = await findGuild(product, 'Lantern Works');
  const databases = (await product.control('notion', 'GET', '/databases')) as Catalog[];
  const board = databases.find(({ name }) => name === 'Sprint board');
  const channel = guild.channels.find(({ name }) => name === 'tasks');
  const estimate = board?.properties.find(({ name }) => name === 'Estimate');
  if (!board || !channel || !estimate) throw new Error('The sandbox tells another story');

  for (const { path, method, body } of OAUTH_FLOWS) {
    const answer = await product.api(method, path, body);
    const { url, oauthUrl } = (await answer.json()) as { url?: string; oauthUrl?: string };
    await authorize(url ?? oauthUrl ?? '', answer.headers.get('set-cookie') ?? '', {
      guildId: guild.id,
      databaseId: board.id,
    });
  }
  for (let made = 0; made < rules; made += 1) {
    await product.api('POST', '/api/app/rules', {
      databaseId: board.dataSourceId,
      dbType: 'task',
      eventType: 'page_updated',
      channelId: channel.id,
      watchedProperties: [estimate.id],
    });
  }
  const rows = (await product.control('notion', 'GET', `/rows?database=${board.id}`)) as { id: string }[];
  const { rows: workspaces } = await product.database.query(
    'select bot_id as "botId", notion_workspace_id as "workspaceId" from notion_workspace limit 1',
  );
  return {
    databaseId: board.dataSourceId,
    pageIds: rows.map(({ id }) => id),
    channelId: channel.id,
    estimateId: estimate.id,
    ...workspaces[0],
  };
}

/** Adds the bot to the stand-ins' second server, which is then nobody's. Returns the server. */
export async function openPlaytest(product: Pick<BenchProduct, 'control'>): Promise<Guild> {
  const guild = await findGuild(product, 'Lantern Playtest');
  await product.control('discord', 'PUT', `/guilds/${guild.id}/bot`, { permissions: BOT_PERMISSIONS });
  return guild;
}

async function findGuild({ control }: Pick<BenchProduct, 'control'>, wanted: string): Promise<Guild> {
  const guilds = (await control('discord', 'GET', '/guilds')) as Guild[];
  const guild = guilds.find(({ name }) => name === wanted);
  if (!guild) throw new Error('The sandbox tells another story');
  return guild;
}

async function authorize(
  address: string,
  setCookie: string,
  choice: { guildId: string; databaseId: string },
) {
  const url = new URL(address);
  const form = new URLSearchParams(url.searchParams);
  const permissions = BigInt(form.get('permissions') ?? '0');
  for (let bit = 1n; bit <= permissions; bit <<= 1n) {
    if (permissions & bit) form.append('permission', String(bit));
  }
  form.set('guild_id', choice.guildId);
  form.set('databases', choice.databaseId);
  form.set('person', 'mira');
  form.set('signed_in', 'mira');
  form.set('decision', url.pathname.startsWith('/oauth2') ? 'authorize' : 'allow');
  const granted = await fetch(url, { method: 'POST', body: form, redirect: 'manual' });
  const cookie = setCookie.split(';')[0] ?? '';
  const landed = await fetch(granted.headers.get('location') ?? '', {
    redirect: 'manual',
    headers: { cookie },
  });
  const target = landed.headers.get('location') ?? '';
  if (target.includes('error=') || landed.status !== 302) throw new Error(`Connecting failed: ${target}`);
}
