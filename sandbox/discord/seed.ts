import { PEOPLE } from '../people';
import { lanternPlaytest, lanternWorks, mothAndFlame, type SeedGuild } from './seed-guilds';
import { seedMessages } from './seed-messages';
import type { DiscordState, StoredUser } from './state';

const BOT_USER_ID = '1187400000000000001';

const COLOURS: Record<string, string> = { mira: '#c2693d', jonas: '#3f7fb5', vera: '#7a5bb0' };

/** The initial state: three servers, none of which has the bot yet. */
export function seed(): DiscordState {
  const guilds = [lanternWorks, mothAndFlame, lanternPlaytest].map((make) => make());
  return {
    revision: 0,
    lastId: '0',
    limits: 'on',
    hasTooManyConversations: false,
    application: {
      botUserId: BOT_USER_ID,
      name: 'Pagewire',
      description: 'Links this server to a Notion workspace.',
      interactionsEndpointUrl: null,
      eventWebhooksUrl: null,
      eventWebhooksStatus: 2,
      eventWebhooksTypes: ['APPLICATION_AUTHORIZED', 'APPLICATION_DEAUTHORIZED'],
    },
    users: Object.fromEntries([...people(), ...extras(), bot()].map((each) => [each.id, each])),
    guilds: Object.fromEntries(guilds.map(({ guild }) => [guild.id, guild])),
    channels: Object.fromEntries(guilds.flatMap(channelsOf).map((each) => [each.id, each])),
    messages: seedMessages(Date.now()),
    commands: { global: [], guilds: {} },
    commandCreates: {},
    codes: {},
    authorizations: [],
    interactions: [],
    calls: {},
    invalidAnswers: 0,
    rateLimited: 0,
  };
}

function channelsOf({ channels }: SeedGuild) {
  return channels;
}

function people(): StoredUser[] {
  return PEOPLE.map((person) => ({
    id: person.discordId,
    username: person.discordUsername,
    globalName: person.name,
    bot: false,
    email: person.email,
    locale: 'en-GB',
    colour: COLOURS[person.key] ?? '#6b7280',
  }));
}

function extras(): StoredUser[] {
  const common = { bot: false, email: null, locale: 'en-GB' };
  return [
    { ...common, id: '208917000000000201', username: 'ines.o', globalName: 'Ines Okafor', colour: '#4b8f6b' },
    { ...common, id: '208917000000000202', username: 'tomas', globalName: 'Tomás Reyes', colour: '#a8556f' },
  ];
}

function bot(): StoredUser {
  return {
    id: BOT_USER_ID,
    username: 'Pagewire',
    globalName: 'Pagewire',
    bot: true,
    email: null,
    locale: 'en-GB',
    colour: '#1f9d6b',
  };
}
