import { type APIApplication, ApplicationIntegrationType } from 'discord-api-types/v10';
import type { Hono } from 'hono';
import { z } from 'zod';
import { formError } from '../discord-error';
import { parseForm } from '../form';
import { eventsUrl, interactionsUrl, type SignedPostOptions, signedPost } from '../interactions/signed-post';
import { webUrl } from '../messages/web-url';
import { redirectUris } from '../oauth/redirect-uris';
import type { World } from '../world';
import { jsonBody, requireBot } from './access';
import type { Env } from './guard';
import { toUser } from './to-api';

const DEADLINE_MS = 3000;
const address = webUrl(['http:', 'https:']).nullable().optional();

const changesSchema = z.object({
  description: z.string().max(400).optional(),
  interactions_endpoint_url: address,
  event_webhooks_url: address,
  event_webhooks_status: z.union([z.literal(1), z.literal(2)]).optional(),
  event_webhooks_types: z
    .array(z.enum(['APPLICATION_AUTHORIZED', 'APPLICATION_DEAUTHORIZED', 'ENTITLEMENT_CREATE']))
    .optional(),
});

export function applicationRoutes(api: Hono<Env>, world: World): void {
  const toApplication = () => {
    const { application } = world.state;
    const bot = world.user(world.botId);
    const install = application.guildInstall;
    return {
      id: world.applicationId,
      name: application.name,
      description: application.description,
      icon: null,
      bot_public: !application.isPrivate,
      bot_require_code_grant: false,
      verify_key: world.context.credentials.discord.publicKey,
      flags: application.flags ?? 0,
      redirect_uris: redirectUris(world),
      interactions_endpoint_url: interactionsUrl(world),
      event_webhooks_url: eventsUrl(world),
      event_webhooks_status: application.eventWebhooksStatus,
      event_webhooks_types: application.eventWebhooksTypes,
      integration_types_config: {
        [ApplicationIntegrationType.GuildInstall]: install ? { oauth2_install_params: install } : {},
      },
      approximate_guild_count: Object.keys(world.state.guilds).filter((id) => world.isBotIn(id)).length,
      ...(bot && { bot: toUser(bot) }),
    } as Partial<APIApplication>;
  };

  api.get('/applications/@me', (c) => {
    requireBot(world, c);
    return c.json(toApplication());
  });

  api.patch('/applications/@me', async (c) => {
    requireBot(world, c);
    const changes = parseForm(changesSchema, await jsonBody(c));
    const { application } = world.state;
    if (changes.interactions_endpoint_url)
      await requireAlive(world, changes.interactions_endpoint_url, 'interactions');
    if (changes.event_webhooks_url) await requireAlive(world, changes.event_webhooks_url, 'events');
    application.description = changes.description ?? application.description;
    application.eventWebhooksStatus = changes.event_webhooks_status ?? application.eventWebhooksStatus;
    application.eventWebhooksTypes = changes.event_webhooks_types ?? application.eventWebhooksTypes;
    if (changes.interactions_endpoint_url !== undefined) {
      application.interactionsEndpointUrl = changes.interactions_endpoint_url;
    }
    if (changes.event_webhooks_url !== undefined) application.eventWebhooksUrl = changes.event_webhooks_url;
    world.save();
    return c.json(toApplication());
  });
}

/** Discord saves a URL only after it has answered a PING and refused a forged one. */
async function requireAlive(world: World, url: string, door: 'interactions' | 'events'): Promise<void> {
  const ping =
    door === 'events'
      ? { version: 1, application_id: world.applicationId, type: 0 }
      : { id: world.nextId(), application_id: world.applicationId, type: 1, token: 'ping', version: 1 };
  const send = async (options: SignedPostOptions) => {
    const response = await signedPost(world, url, ping, {
      ...options,
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    return {
      status: response.status,
      text: await response.text(),
      type: response.headers.get('content-type'),
    };
  };
  const [good, forged] = await Promise.all([send({}), send({ forged: true })]).catch(() => []);
  const isPong =
    door === 'events'
      ? good?.status === 204 && good.type !== null
      : good?.status === 200 && /"type"\s*:\s*1\b/.test(good.text);
  if (isPong && forged?.status === 401) return;
  const field = door === 'events' ? 'event_webhooks_url' : 'interactions_endpoint_url';
  throw formError(
    [field],
    'APPLICATION_INTERACTIONS_ENDPOINT_URL_INVALID',
    'The specified url could not be verified.',
  );
}
