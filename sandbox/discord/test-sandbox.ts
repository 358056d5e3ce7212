import { generateKeyPairSync } from 'node:crypto';
import type { SandboxContext } from '../context';
import { Faults } from '../faults';
import { Store } from '../store';
import { discordApp } from './discord-app';

export const APPLICATION = '1187400000000000777';
const BOT_TOKEN = 'bot-token';
export const APP_URL = 'http://127.0.0.1:9';
export const MIRA = '208917000000000101';
export const JONAS = '208917000000000102';
export const BOT = '1187400000000000001';
export const LANTERN_WORKS = '1101000000000000001';
export const CHANNELS = {
  announcements: '1101000000000000201',
  general: '1101000000000000202',
  watercooler: '1101000000000000203',
  tasks: '1101000000000000206',
  ideas: '1101000000000000208',
  leads: '1101000000000000209',
};
/** View Channel, Send Messages, Embed Links, Read Message History, Create Public Threads, Send Messages in Threads. */
export const ASKED = '309237730304';

interface CallOptions {
  body?: unknown;
  headers?: Record<string, string | undefined>;
}

/** The stand-in in this process, with its clock and a client that sends the bot's correct headers. */
export function testSandbox(appUrl = APP_URL) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  let aheadMs = 0;
  const context: SandboxContext = {
    store: new Store(),
    faults: new Faults(),
    appUrl,
    urls: {
      identity: 'http://i.test',
      discord: 'http://d.test',
      notion: 'http://n.test',
      stripe: 'http://s.test',
    },
    credentials: {
      auth0: { clientId: '', clientSecret: '', audience: '' },
      discord: {
        applicationId: APPLICATION,
        clientSecret: 'client-secret',
        publicKey: publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex'),
        privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
        botToken: BOT_TOKEN,
      },
      notion: { clientId: '', clientSecret: '', webhookToken: '' },
      stripe: { secretKey: '', webhookSecret: '', priceId: '' },
    },
    now: () => new Date(Date.now() + aheadMs),
  };
  const app = discordApp(context);

  const request = async (method: string, path: string, { body, headers = {} }: CallOptions) => {
    const given = Object.entries(headers).filter((pair): pair is [string, string] => pair[1] !== undefined);
    const response = await app.request(path, {
      method,
      headers: Object.fromEntries(given),
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  };
  const json = { 'content-type': 'application/json' };
  const api = (method: string, path: string, { body, headers }: CallOptions = {}) =>
    request(method, `/api/v10${path}`, {
      body,
      headers: {
        authorization: `Bot ${BOT_TOKEN}`,
        'user-agent': 'DiscordBot (https://pagewire.example, 1.0)',
        ...(body !== undefined && json),
        ...headers,
      },
    });
  const control = (method: string, path: string, body?: unknown) =>
    request(method, `/_sandbox/discord${path}`, { body, headers: body === undefined ? {} : json });
  const page = (path: string, body: unknown) => request('POST', `/_page/${path}`, { body, headers: json });

  return {
    app,
    context,
    publicKey,
    api,
    control,
    page,
    send: (channel: string, body: unknown) => api('POST', `/channels/${channel}/messages`, { body }),
    install: (permissions = ASKED) => control('PUT', `/guilds/${LANTERN_WORKS}/bot`, { permissions }),
    advance(ms: number) {
      aheadMs += ms;
    },
  };
}
