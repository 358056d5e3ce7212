import type { APIRequestContext, APIResponse, Page } from '@playwright/test';
import type { Person } from '../sandbox/people';

/**
 * Makes the pages' calls up to where most journeys begin, with the browser's cookies. The page stays where it is; other
 * journeys test the pages themselves.
 */

// The fields of a form that the browser would send: hidden ones and ticked boxes.
const FIELD = /<input type="(hidden|checkbox)" name="([^"]*)" value="([^"]*)"( checked)?/g;

/** Signs a person in at the identity provider. */
export async function signIn(page: Page, person: Person['key']): Promise<void> {
  const { csrfToken } = await json(page.request.get('/api/auth/csrf'));
  const start = { csrfToken, callbackUrl: '/callback?mode=app', json: 'true' };
  const { url } = await json(page.request.post('/api/auth/signin/auth0', { form: start }));
  const chooser = await good(page.request.get(url));
  await good(page.request.post(chooser.url(), { form: { person } }));
}

/** Connects the bot in Lantern Works, and the databases that Notion ticks by default. */
export async function connectBoth(page: Page): Promise<void> {
  const calls = await SignedIn.on(page);
  await calls.connectDiscord();
  await calls.connectNotion();
}

/** Connects only the bot in Lantern Works. */
export async function connectServer(page: Page): Promise<void> {
  await (await SignedIn.on(page)).connectDiscord();
}

/** Has the server read again. Fails unless the call succeeds. */
export async function refreshServer(page: Page): Promise<void> {
  await (await SignedIn.on(page)).refreshServer();
}

interface RuleDraft {
  database?: string;
  channel?: string;
  [term: string]: unknown;
}

/** Creates a rule that watches Status of the Sprint board and posts to #tasks, or as the draft says, by names. */
export async function createRule(page: Page, draft: RuleDraft = {}): Promise<void> {
  await (await SignedIn.on(page)).createRule(draft);
}

class SignedIn {
  private constructor(
    private readonly request: APIRequestContext,
    private readonly headers: { authorization: string },
  ) {}

  static async on({ request }: Page): Promise<SignedIn> {
    const { accessToken } = await json(request.get('/api/auth/session'));
    return new SignedIn(request, { authorization: `Bearer ${accessToken}` });
  }

  async connectDiscord(): Promise<void> {
    const { url } = await this.get('/api/discord/bot-install/url');
    await this.consent(url, (page) => ({
      decision: 'authorize',
      guild_id: /<option value="(\d+)"[^>]*>Lantern Works/.exec(page)?.[1] ?? '',
    }));
  }

  async connectNotion(): Promise<void> {
    const { oauthUrl } = await this.post('/api/app/setup/connect-notion', { returnTo: '/setup' });
    await this.consent(oauthUrl, () => ({ decision: 'allow' }));
  }

  async refreshServer(): Promise<void> {
    await this.post('/api/app/discord/server/refresh', {});
  }

  async createRule({ database = 'Sprint board', channel = 'tasks', ...terms }: RuleDraft): Promise<void> {
    const { databases } = await this.get('/api/app/notion/workspace');
    const { channels } = await this.get('/api/app/discord/server');
    await this.post('/api/app/rules', {
      databaseId: idOf(databases, database),
      channelId: idOf(channels, channel),
      ...(terms['eventType'] === undefined && { eventType: 'page_updated', watchedProperties: ['Status'] }),
      ...terms,
    });
  }

  /** Submits another service's form with these choices, and follows the redirect back. */
  private async consent(url: string, choose: (page: string) => Record<string, string>): Promise<void> {
    const page = await (await good(this.request.get(url))).text();
    const form = new URLSearchParams();
    for (const [, type, name = '', value = '', isTicked] of page
      .split('<form method="post"')[1]
      ?.matchAll(FIELD) ?? []) {
      if (type === 'hidden' || isTicked) form.append(name, value);
    }
    for (const [name, value] of Object.entries(choose(page))) form.set(name, value);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const landed = await good(this.request.post(url, { headers, data: form.toString() }));
    if (landed.url().includes('error=')) throw new Error(`Not connected: ${landed.url()}`);
  }

  private get(path: string) {
    return json(this.request.get(path, { headers: this.headers }));
  }

  private post(path: string, data: object) {
    return json(this.request.post(path, { headers: this.headers, data }));
  }
}

function idOf(all: { id: string; name: string }[], wanted: string): string {
  const found = all.find(({ name }) => name === wanted);
  if (!found) throw new Error(`There is no ${wanted}.`);
  return found.id;
}

async function good(call: Promise<APIResponse>): Promise<APIResponse> {
  const answer = await call;
  if (!answer.ok()) throw new Error(`${answer.url()}: ${answer.status()} ${await answer.text()}`);
  return answer;
}

const json = async (call: Promise<APIResponse>) => (await good(call)).json();
