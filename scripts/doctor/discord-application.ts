import {
  type APIApplication,
  ApplicationFlags,
  ApplicationIntegrationType,
  ApplicationWebhookEventStatus,
} from 'discord-api-types/v10';
import type { Env } from '@/lib/env';
import { DISCORD_EVENTS } from '@/lib/integrations/discord/discord-events';
import { INSTALL_CALLBACK } from '@/lib/integrations/discord/discord-install';
import { ASKED_PERMISSIONS } from '@/lib/integrations/discord/permissions';
import { UNAUTHORIZED } from './ask';
import { askDiscord } from './discord-call';
import { missingFrom } from './discord-servers';
import { type Finding, orFine, remark, wrong } from './finding';
import type { Context, Subject } from './subject';

const INTENTS =
  ApplicationFlags.GatewayPresence |
  ApplicationFlags.GatewayPresenceLimited |
  ApplicationFlags.GatewayGuildMembers |
  ApplicationFlags.GatewayGuildMembersLimited |
  ApplicationFlags.GatewayMessageContent |
  ApplicationFlags.GatewayMessageContentLimited;

/** The application in Discord's developer portal. */
export const discordApplication: Subject = {
  name: 'Discord application',
  check: async (context) => {
    const { status, json } = await askDiscord(context, 'GET', '/applications/@me');
    if (status === UNAUTHORIZED) {
      return [
        wrong(
          'Discord does not know DISCORD_BOT_TOKEN.',
          'Reset the token on the page Bot, and set the new one.',
        ),
      ];
    }
    if (status !== 200) return [wrong(`Discord answered ${status}.`, 'Try again later.')];
    const application = json as APIApplication;
    const found = [
      ...checkIdentity(context.env, application),
      ...(await checkSecret(context)),
      ...checkAddresses(context.env, application),
      ...checkEvents(context.env, application),
      ...checkInstallation(application),
    ];
    return orFine(found, `The application ${application.name} is set up as Pagewire needs it.`);
  },
};

function checkIdentity(env: Env, { id, verify_key }: APIApplication): Finding[] {
  const found: Finding[] = [];
  if (id !== env.DISCORD_APPLICATION_ID) {
    const text = 'DISCORD_BOT_TOKEN is of another application than DISCORD_APPLICATION_ID.';
    found.push(wrong(text, `Set DISCORD_APPLICATION_ID=${id}, or use the token of the other application.`));
  }
  if (verify_key !== env.DISCORD_PUBLIC_KEY.toLowerCase()) {
    const text = 'DISCORD_PUBLIC_KEY is not that of the application, so every command is refused.';
    found.push(wrong(text, 'Copy the public key from General Information.'));
  }
  return found;
}

/** Tries to redeem a code that was never issued: Discord checks the client secret first. */
async function checkSecret(context: Context): Promise<Finding[]> {
  const { DISCORD_APPLICATION_ID, DISCORD_CLIENT_SECRET, APP_URL } = context.env;
  const basic = Buffer.from(`${DISCORD_APPLICATION_ID}:${DISCORD_CLIENT_SECRET}`).toString('base64');
  const { status } = await askDiscord(context, 'POST', '/oauth2/token', {
    headers: { authorization: `Basic ${basic}` },
    form: { grant_type: 'authorization_code', code: 'doctor', redirect_uri: `${APP_URL}${INSTALL_CALLBACK}` },
  });
  if (status !== UNAUTHORIZED) return [];
  return [
    wrong(
      'Discord refuses DISCORD_APPLICATION_ID with DISCORD_CLIENT_SECRET.',
      'Copy the client secret from the page OAuth2.',
    ),
  ];
}

function checkAddresses({ APP_URL }: Env, application: APIApplication): Finding[] {
  const callback = `${APP_URL}${INSTALL_CALLBACK}`;
  const interactions = `${APP_URL}/api/discord/interactions`;
  const found: Finding[] = [];
  if (!application.redirect_uris?.includes(callback)) {
    found.push(
      wrong(
        'Discord would not lead back after the bot was added.',
        `Add ${callback} to the redirects (OAuth2).`,
      ),
    );
  }
  if (application.interactions_endpoint_url !== interactions) {
    const text = 'Commands and buttons do not reach the application.';
    found.push(wrong(text, `Set the Interactions Endpoint URL (General Information) to ${interactions}.`));
  }
  return found;
}

function checkEvents({ APP_URL }: Env, application: APIApplication): Finding[] {
  const address = `${APP_URL}/api/discord/events`;
  const isOn = application.event_webhooks_status === ApplicationWebhookEventStatus.Enabled;
  const types: string[] = application.event_webhooks_types ?? [];
  if (
    isOn &&
    application.event_webhooks_url === address &&
    DISCORD_EVENTS.every((each) => types.includes(each))
  ) {
    return [];
  }
  return [
    wrong(
      'Discord does not tell the application when somebody removes it.',
      `On the page Webhooks set the Endpoint URL to ${address}, enable events and tick ${DISCORD_EVENTS.join(', ')}.`,
    ),
  ];
}

function checkInstallation(application: APIApplication): Finding[] {
  const found: Finding[] = [];
  if (!application.bot_public) {
    found.push(wrong('Only its team can add the bot to servers.', 'Tick Public Bot on the page Bot.'));
  }
  const contexts = application.integration_types_config ?? {};
  const install = contexts[ApplicationIntegrationType.GuildInstall];
  if (!install)
    found.push(wrong('The bot cannot be added to servers.', 'Tick Guild Install on the page Installation.'));
  const params = install?.oauth2_install_params;
  const lacking = params ? missingFrom(BigInt(params.permissions)) : [];
  if (lacking.length > 0) {
    const text = `Discord's own button adds the bot without ${lacking.join(', ')}.`;
    found.push(
      wrong(text, `On the page Installation grant the permissions ${ASKED_PERMISSIONS}, or offer no link.`),
    );
  }
  if (application.flags & INTENTS) {
    found.push(
      remark('The bot has privileged intents, which it does not use.', 'Untick them on the page Bot.'),
    );
  }
  return found;
}
