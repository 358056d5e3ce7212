import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Client } from '@notionhq/client';
import type { SandboxContext } from '../context';
import { Faults } from '../faults';
import { close, listen, originOf } from '../local-server';
import { Store } from '../store';
import { recordWebhooks } from '../webhook-recorder';
import { notionApp } from './notion-app';

const VERSION = '2026-03-11';
const CREDENTIALS: SandboxContext['credentials'] = {
  auth0: { clientId: '', clientSecret: '', audience: '' },
  discord: { applicationId: '', clientSecret: '', publicKey: '', privateKey: '', botToken: '' },
  notion: {
    clientId: 'client-of-tests',
    clientSecret: 'secret-of-tests',
    webhookToken: 'secret_webhook-of-tests',
  },
  stripe: { secretKey: '', webhookSecret: '', priceId: '' },
};

type Event = Record<string, unknown> & { id: string; type: string; attempt_number: number };

/** Starts the stand-in on a free port, next to an application that records webhooks. For tests. */
export async function startNotion(storePath?: string) {
  const application = await recordWebhooks<Event>('x-notion-signature');
  const notion = await listen(createServer());
  const [appUrl, url] = [application.url, originOf(notion)];
  const faults = new Faults();
  const store = new Store(storePath);
  let aheadMs = 0;
  const context: SandboxContext = {
    store,
    faults,
    appUrl,
    urls: { identity: '', discord: '', stripe: '', notion: url },
    credentials: CREDENTIALS,
    now: () => new Date(Date.now() + aheadMs),
  };
  notion.on('request', getRequestListener(notionApp(context).fetch));
  const redirectUri = `${appUrl}/api/notion/callback`;

  return {
    url,
    appUrl,
    redirectUri,
    faults,
    store,
    context,
    received: application.received,
    answers: application.answers,
    advance: (ms: number) => {
      aheadMs += ms;
    },
    client: (token: string) =>
      new Client({ auth: token, baseUrl: url, notionVersion: VERSION, retry: false, logger: () => {} }),
    /** A raw call with correct headers unless others are given. */
    call: (
      method: string,
      path: string,
      options: { token?: string; body?: unknown; headers?: Record<string, string> } = {},
    ) =>
      fetch(`${url}${path}`, {
        method,
        headers: {
          'notion-version': VERSION,
          ...(options.token && { authorization: `Bearer ${options.token}` }),
          ...(options.body !== undefined && { 'content-type': 'application/json' }),
          ...options.headers,
        },
        ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
      }),
    control: async <T = unknown>(method: string, path: string, body?: unknown): Promise<T> => {
      const response = await fetch(`${url}/_sandbox/notion${path}`, {
        method,
        ...(body !== undefined && {
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        }),
      });
      if (!response.ok) throw new Error(await response.text());
      return (await response.json()) as T;
    },
    stop: () => Promise.all([application.stop(), close(notion)]),
  };
}

export type NotionStage = Awaited<ReturnType<typeof startNotion>>;

/** Goes through the consent page as a person would and returns the code of the redirect. */
export async function consent(stage: NotionStage, person: string, databaseIds: string[]): Promise<string> {
  const form = new URLSearchParams({
    client_id: CREDENTIALS.notion.clientId,
    redirect_uri: stage.redirectUri,
    response_type: 'code',
    owner: 'user',
    state: 'some-state',
    signed_in: person,
    decision: 'allow',
  });
  for (const id of databaseIds) form.append('databases', id);
  const response = await fetch(`${stage.url}/v1/oauth/authorize`, {
    method: 'POST',
    body: form,
    redirect: 'manual',
  });
  return new URL(response.headers.get('location') ?? '').searchParams.get('code') ?? '';
}

export interface TokenAnswer {
  access_token: string;
  refresh_token: string;
  bot_id: string;
  workspace_id: string;
}

export function basicHeader(): { authorization: string } {
  const { clientId, clientSecret } = CREDENTIALS.notion;
  return { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` };
}

/** Connects as a person and returns the tokens. */
export async function connect(
  stage: NotionStage,
  person: string,
  databaseNames: string[],
): Promise<TokenAnswer> {
  const all = await stage.control<{ id: string; name: string }[]>('GET', '/databases');
  const ids = all.filter((each) => databaseNames.includes(each.name)).map((each) => each.id);
  const code = await consent(stage, person, ids);
  const body = { grant_type: 'authorization_code', code, redirect_uri: stage.redirectUri };
  const response = await stage.call('POST', '/v1/oauth/token', { body, headers: basicHeader() });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as TokenAnswer;
}
