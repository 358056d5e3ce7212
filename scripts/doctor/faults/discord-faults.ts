import { ASKED_PERMISSIONS } from '@/lib/integrations/discord/permissions';
import type { DiscordState } from '../../../sandbox/discord/state';
import type { InstallationFault, Stage } from './stage';

const permissionsWithout = (bit: bigint) => String(ASKED_PERMISSIONS & ~bit);

const portal = (changes: Partial<DiscordState['application']>) => (stage: Stage) =>
  stage.world('discord', ({ application }) => void Object.assign(application, changes));

/** Faults in Discord's developer portal and servers. */
export const DISCORD_FAULTS: InstallationFault[] = [
  {
    what: 'a wrong token of the bot',
    subject: 'Discord application',
    tells: /does not know DISCORD_BOT_TOKEN/,
    variables: { DISCORD_BOT_TOKEN: 'wrong' },
  },
  {
    what: 'the id of another application',
    subject: 'Discord application',
    tells: /of another application/,
    variables: { DISCORD_APPLICATION_ID: '1193000000000000002' },
  },
  {
    what: 'the public key of another application',
    subject: 'Discord application',
    tells: /PUBLIC_KEY is not that/,
    variables: { DISCORD_PUBLIC_KEY: 'ab'.repeat(32) },
  },
  {
    what: 'swapped secrets of Discord and Notion',
    subject: 'Discord application',
    tells: /refuses DISCORD_APPLICATION_ID/,
    variables: ({ product }) => ({
      DISCORD_CLIENT_SECRET: product.sandbox.context.credentials.notion.clientSecret,
      NOTION_CLIENT_SECRET: product.sandbox.context.credentials.discord.clientSecret,
    }),
  },
  {
    what: 'a missing redirect of Discord',
    subject: 'Discord application',
    tells: /not lead back/,
    breaks: portal({ redirectUris: [] }),
  },
  {
    what: 'interactions that go elsewhere',
    subject: 'Discord application',
    tells: /Commands and buttons do not reach/,
    breaks: portal({ interactionsEndpointUrl: 'https://old.example/api/discord/interactions' }),
  },
  {
    what: 'events that Discord has switched off',
    subject: 'Discord application',
    tells: /when somebody removes it/,
    breaks: portal({ eventWebhooksStatus: 3 }),
  },
  {
    what: 'an event that is not ticked',
    subject: 'Discord application',
    tells: /when somebody removes it/,
    breaks: portal({ eventWebhooksTypes: ['APPLICATION_AUTHORIZED'] }),
  },
  {
    what: 'a private bot',
    subject: 'Discord application',
    tells: /Only its team/,
    breaks: portal({ isPrivate: true }),
  },
  {
    what: 'an install link without a permission',
    subject: 'Discord application',
    tells: /without Embed Links/,
    breaks: portal({ guildInstall: { scopes: ['bot'], permissions: permissionsWithout(1n << 14n) } }),
  },
  {
    what: 'a bot without one permission',
    subject: 'Discord servers',
    tells: /lacks permissions: Lantern Works \(Send Messages in Threads\)/,
    breaks: (stage) =>
      stage.world('discord', ({ guilds }) => {
        for (const { roles } of Object.values(guilds))
          for (const role of roles) role.permissions = permissionsWithout(1n << 38n);
      }),
  },
];
