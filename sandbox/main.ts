import { createServer, type RequestListener, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { SandboxContext } from './context';
import { Clock, controlApp } from './control';
import { loadSecrets } from './credentials';
import { discordApp } from './discord/discord-app';
import { Faults } from './faults';
import { identityListener } from './identity/identity-listener';
import { close, listen, originOf } from './local-server';
import { notionApp } from './notion/notion-app';
import { Store } from './store';
import { stripeApp } from './stripe/stripe-app';

export interface SandboxPorts {
  identity: number;
  discord: number;
  notion: number;
  stripe: number;
}

export interface Sandbox {
  context: SandboxContext;
  /** Every variable that the application needs to work with this sandbox, except DATABASE_URL. */
  env: Record<string, string>;
  /** Answers a request of whoever runs this sandbox without a connection, which costs several times the answer. */
  ask(service: 'discord' | 'notion' | 'stripe', request: Request): Response | Promise<Response>;
  stop(): Promise<void>;
}

const SHARED_PATHS = /^\/_sandbox\/(faults|reset|clock)$/;

/**
 * Starts the stand-ins for the identity provider, Discord, Notion and Stripe, on the loopback interface only. Port 0
 * picks a free one. With `storePath` their state survives a restart.
 */
export async function startSandbox(options: {
  ports: SandboxPorts;
  appUrl: string;
  storePath?: string;
}): Promise<Sandbox> {
  const store = new Store(options.storePath);
  const faults = new Faults();
  const clock = new Clock(store);
  const { credentials, nextAuthSecret, encryptionKey } = loadSecrets(store);

  const servers = {
    identity: await listen(createServer(), options.ports.identity),
    discord: await listen(createServer(), options.ports.discord),
    notion: await listen(createServer(), options.ports.notion),
    stripe: await listen(createServer(), options.ports.stripe),
  };
  const context: SandboxContext = {
    store,
    faults,
    appUrl: options.appUrl,
    urls: {
      identity: originOf(servers.identity),
      discord: originOf(servers.discord),
      notion: originOf(servers.notion),
      stripe: originOf(servers.stripe),
    },
    credentials,
    now: () => clock.now(),
  };

  const control = getRequestListener(controlApp({ store, faults, clock }).fetch);
  const attach = (server: Server, listener: RequestListener) =>
    server.on('request', (request, response) => {
      const [path = ''] = (request.url ?? '').split('?');
      response.setHeader('date', clock.now().toUTCString());
      return SHARED_PATHS.test(path) ? control(request, response) : listener(request, response);
    });
  attach(servers.identity, await identityListener(context));
  const apps = { discord: discordApp(context), notion: notionApp(context), stripe: stripeApp(context) };
  attach(servers.discord, getRequestListener(apps.discord.fetch));
  attach(servers.notion, getRequestListener(apps.notion.fetch));
  attach(servers.stripe, getRequestListener(apps.stripe.fetch));
  store.flush();

  return {
    context,
    env: appEnvironment(context, { nextAuthSecret, encryptionKey }),
    ask: (service, request) => apps[service].fetch(request),
    stop: async () => {
      await Promise.all(Object.values(servers).map(close));
      store.flush();
    },
  };
}

function appEnvironment(
  { appUrl, urls, credentials }: SandboxContext,
  secrets: { nextAuthSecret: string; encryptionKey: string },
): Record<string, string> {
  const { auth0, discord, notion, stripe } = credentials;
  return {
    APP_URL: appUrl,
    ENVIRONMENT: 'dev',
    NEXTAUTH_SECRET: secrets.nextAuthSecret,
    ENCRYPTION_KEYS: secrets.encryptionKey,
    AUTH0_DOMAIN: urls.identity,
    AUTH0_CLIENT_ID: auth0.clientId,
    AUTH0_CLIENT_SECRET: auth0.clientSecret,
    AUTH0_AUDIENCE: auth0.audience,
    AUTH0_CALLBACK_URL: `${appUrl}/callback?mode=app`,
    DISCORD_API_URL: `${urls.discord}/api/v10`,
    DISCORD_AUTHORIZE_URL: `${urls.discord}/oauth2/authorize`,
    DISCORD_CDN_URL: `${urls.discord}/cdn`,
    DISCORD_APPLICATION_ID: discord.applicationId,
    DISCORD_CLIENT_SECRET: discord.clientSecret,
    DISCORD_PUBLIC_KEY: discord.publicKey,
    DISCORD_BOT_TOKEN: discord.botToken,
    NOTION_API_URL: urls.notion,
    NOTION_CLIENT_ID: notion.clientId,
    NOTION_CLIENT_SECRET: notion.clientSecret,
    NOTION_WEBHOOK_TOKEN: notion.webhookToken,
    STRIPE_API_URL: urls.stripe,
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
    STRIPE_PRICE_ID: stripe.priceId,
    SUPPORT_EMAIL: 'support@pagewire.example',
    SUPPORT_INVITE_URL: `${urls.discord}/`,
    WORKER: 'inline',
  };
}
