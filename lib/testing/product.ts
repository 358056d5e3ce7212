import { importJWK, SignJWT } from 'jose';
import { subjectOf } from '../../sandbox/identity/identity-account';
import { identityKeys } from '../../sandbox/identity/identity-state';
import { type Sandbox, startSandbox } from '../../sandbox/main';
import { PEOPLE, type Person } from '../../sandbox/people';
import { MINUTE_MS } from '../time';
import { createTestDatabase, type TestDatabase } from './database';
import { openDoors } from './doors';

type Key = Person['key'];
type Service = Parameters<Sandbox['ask']>[0];

/** Ends what hangs, and nothing that is slow. */
const PATIENCE_MS = 5 * MINUTE_MS;

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the tests are about.
  body: any;
  headers: Headers;
}

interface SandboxDatabase {
  id: string;
  /** The database's id, under the contract's name. */
  dataSourceId: string;
  properties: { id: string; name: string }[];
}

/** The product's doors on a separate database, with the sandbox behind it. */
export class TestProduct {
  private constructor(
    readonly url: string,
    readonly sandbox: Sandbox,
    private readonly cleanUp: () => Promise<void>,
  ) {}

  /**
   * Starts the doors on a new database, unless one is given. The worker runs only between `work` and `rest`. Call this
   * before anything reads the environment.
   */
  static async start(database?: TestDatabase): Promise<TestProduct> {
    database ??= await createTestDatabase();
    const { server, url } = await openDoors();
    const sandbox = await startSandbox({
      ports: { identity: 0, discord: 0, notion: 0, stripe: 0 },
      appUrl: url,
    });
    // A machine that stands still for seconds is no fault of the product.
    sandbox.context.interactionLimitMs = PATIENCE_MS;
    Object.assign(process.env, sandbox.env, { DATABASE_URL: database.url });
    // Lets the calls of one account race, as they do across several processes.
    const { pace } = await import('@/lib/http/account-throttle');
    Object.assign(pace, { atOnce: 1000, aSecond: 1000 });
    const product = new TestProduct(url, sandbox, async () => {
      await product.rest();
      server.close();
      server.closeAllConnections();
      await sandbox.stop();
      const { closeDatabase } = await import('@/lib/db/database');
      await closeDatabase();
      await database.drop();
    });
    // Tests call far more often than people do. What happens at a limit is tested with a fault.
    const rateLimit = { enabled: false };
    await product.control('notion', 'PATCH', '/settings', { aggregationMs: 20, retryBaseMs: 100, rateLimit });
    await product.control('discord', 'PUT', '/limits', { limits: 'off' });
    return product;
  }

  stop(): Promise<void> {
    return this.cleanUp();
  }

  private worker: { stop(): Promise<void> } | undefined;

  async work(): Promise<void> {
    const { startWorker } = await import('@/lib/worker/run-worker');
    this.worker ??= await startWorker();
  }

  async rest(): Promise<void> {
    await this.worker?.stop();
    this.worker = undefined;
  }

  /**
   * A bearer token as the identity provider issues it, with any claim replaced. It is dated a second ahead: tokens count
   * whole seconds, and one of the second of a deletion is refused.
   */
  async bearer(key: Key, claims: Record<string, unknown> = {}): Promise<string> {
    const { context } = this.sandbox;
    const { signing } = identityKeys(context);
    const { audience, clientId } = context.credentials.auth0;
    const now = Math.floor(Date.now() / 1000);
    return new SignJWT({
      iss: `${context.urls.identity}/`,
      sub: subjectOf(personOf(key), 'discord-dev'),
      aud: [audience, `${context.urls.identity}/userinfo`],
      azp: clientId,
      iat: now + 1,
      exp: now + 600,
      ...claims,
    })
      .setProtectedHeader({ alg: 'RS256', kid: signing.kid, typ: 'JWT' })
      .sign(await importJWK(signing, 'RS256'));
  }

  /** A call of the API as a signed-in person, or as nobody. */
  async call(key: Key | null, method: string, path: string, body?: unknown): Promise<Answer> {
    const headers: Record<string, string> = {};
    if (key) headers.authorization = `Bearer ${await this.bearer(key)}`;
    if (body !== undefined) headers['content-type'] = 'application/json';
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const response = await fetch(`${this.url}${path}`, { method, headers, body: text });
    return {
      status: response.status,
      headers: response.headers,
      body: await response.json().catch(() => null),
    };
  }

  /** A call of a stand-in's control API. */
  // biome-ignore lint/suspicious/noExplicitAny: what the stand-ins tell is what the tests look into.
  async control(service: Service, method: string, path: string, body?: unknown): Promise<any> {
    const request = new Request(`${this.sandbox.context.urls[service]}/_sandbox/${service}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const response = await this.sandbox.ask(service, request);
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json().catch(() => null);
  }

  /** Installs the bot through Discord's own page. Returns the path to which the browser is redirected. */
  async installBot(key: Key, guildId: string, actingAs: Key = key): Promise<string> {
    const start = await this.call(key, 'GET', '/api/discord/bot-install/url');
    const authorize = new URL(start.body.url);
    const form = new URLSearchParams({ person: actingAs, decision: 'authorize', guild_id: guildId });
    const bits = BigInt(authorize.searchParams.get('permissions') ?? '0');
    for (let bit = 1n; bit <= bits; bit <<= 1n) if (bits & bit) form.append('permission', String(bit));
    const granted = await fetch(authorize, { method: 'POST', body: form, redirect: 'manual' });
    return this.land(granted.headers.get('location'), cookieOf(start.headers));
  }

  /** Connects a workspace through Notion's own page. Returns the path to which the browser is redirected. */
  async connectNotion(key: Key, databaseIds: string[], actingAs: Key = key): Promise<string> {
    const start = await this.call(key, 'POST', '/api/app/setup/connect-notion', { returnTo: '/setup' });
    const authorize = new URL(start.body.oauthUrl);
    const form = new URLSearchParams(authorize.searchParams);
    form.set('decision', 'allow');
    form.set('signed_in', personOf(actingAs).notionId);
    for (const id of databaseIds) form.append('databases', id);
    authorize.search = '';
    const granted = await fetch(authorize, { method: 'POST', body: form, redirect: 'manual' });
    return this.land(granted.headers.get('location'), cookieOf(start.headers));
  }

  /** Follows an OAuth redirect back to the application. */
  async land(location: string | null, cookie: string): Promise<string> {
    const response = await fetch(location ?? '', { redirect: 'manual', headers: { cookie } });
    const target = new URL(response.headers.get('location') ?? '', this.url);
    return target.pathname + target.search;
  }

  /** Every database of the sandbox's Notion by name. */
  async databases(): Promise<Map<string, SandboxDatabase>> {
    const list = await this.control('notion', 'GET', '/databases');
    return new Map(list.map((database: { name: string }) => [database.name, database]));
  }

  /** The bot's messages in a channel, oldest first. */
  // biome-ignore lint/suspicious/noExplicitAny: what stands in a channel is what the tests look into.
  async messages(channelId: string): Promise<any[]> {
    const { messages } = await this.control('discord', 'GET', `/channels/${channelId}/messages`);
    // People's messages have none.
    return messages.filter(({ nonce }: { nonce?: string }) => nonce);
  }
}

const personOf = (key: Key): Person => PEOPLE.find((person) => person.key === key) as Person;
const cookieOf = (headers: Headers) => (headers.get('set-cookie') ?? '').split(';')[0] ?? '';

/** Checks at growing intervals until a condition holds, for at most five minutes. */
export async function eventually<T>(look: () => Promise<T | undefined | null | false>): Promise<T> {
  const startedAt = Date.now();
  for (;;) {
    const found = await look();
    if (found) return found;
    const waited = Date.now() - startedAt;
    if (waited > PATIENCE_MS) throw new Error('It did not happen within five minutes');
    const pause = Math.min(Math.max(waited / 5, 20), 100);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/** A product with the story's server and databases connected to Mira's account. */
export async function startConnectedProduct(database?: TestDatabase) {
  const product = await TestProduct.start(database);
  const guilds: { id: string; name: string; channels: { id: string; name: string }[] }[] =
    await product.control('discord', 'GET', '/guilds');
  const guild = guilds.find(({ name }) => name === 'Lantern Works');
  const databases = await product.databases();
  const board = databases.get('Sprint board');
  const docs = databases.get('Design docs');
  if (!guild || !board || !docs) throw new Error('The sandbox tells another story');
  await product.installBot('mira', guild.id);
  await product.connectNotion('mira', [board.id, docs.id]);
  const channel = (name: string) => guild.channels.find((each) => each.name === name)?.id ?? '';
  const property = (name: string) => board.properties.find((each) => each.name === name)?.id ?? '';
  return { product, guild, board, docs, channel, property };
}
