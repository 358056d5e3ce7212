import type {
  APIApplicationCommandInteraction,
  APIMessage,
  APIMessageComponentInteraction,
  APIModalSubmitInteraction,
  APIPoll,
  APITextDisplayComponent,
  APIUser,
} from 'discord-api-types/v10';
import { describe, expect, test } from 'vitest';
import { interactionSchema, toCall, toCommand, toCustomId, toFields, toTarget } from './interaction';

const user: APIUser = {
  id: '208917000000000102',
  username: 'jonas_b',
  discriminator: '0',
  global_name: null,
  avatar: null,
};

/** The fields that every interaction in a server has, with null wherever Discord may send it. */
const inServer = {
  id: '77',
  application_id: '1187400000000000777',
  token: 'token',
  version: 1,
  guild_id: '1101000000000000001',
  guild: { id: '1101000000000000001', locale: 'de', features: ['COMMUNITY'] },
  guild_locale: 'de',
  locale: 'de',
  channel: { id: '1101000000000000206', type: 0, name: 'tasks', topic: null, last_message_id: null },
  channel_id: '1101000000000000206',
  app_permissions: '2248473465835073',
  context: 0,
  entitlements: [
    {
      id: '1',
      sku_id: '2',
      application_id: '3',
      user_id: user.id,
      type: 8,
      deleted: false,
      starts_at: null,
      ends_at: null,
    },
  ],
  authorizing_integration_owners: { 0: '1101000000000000001', 1: user.id },
  attachment_size_limit: 10_485_760,
  member: {
    user,
    nick: null,
    avatar: null,
    banner: null,
    roles: [],
    joined_at: '2024-01-01T00:00:00.000000+00:00',
    premium_since: null,
    communication_disabled_until: null,
    deaf: false,
    mute: false,
    flags: 0,
    permissions: '2248473465835073',
  },
};

type Loose<T> = { [Key in keyof T]?: unknown };
const read = (interaction: Loose<APIApplicationCommandInteraction>) =>
  interactionSchema.parse({ ...inServer, ...JSON.parse(JSON.stringify(interaction)) });

describe('who called', () => {
  test('has no display name if Discord has none', () => {
    expect(toCall(read({ type: 2 }))).toEqual({
      id: '77',
      token: 'token',
      guildId: '1101000000000000001',
      channelId: '1101000000000000206',
      userId: user.id,
      user: { id: user.id, username: 'jonas_b', displayName: null, avatar: null },
    });
  });

  test.each([
    ['the channel alone', { channel_id: undefined }],
    ['the older field alone', { channel: undefined }],
  ])('is in a channel according to %s', (_, changes) => {
    const interaction = JSON.parse(JSON.stringify({ ...inServer, type: 2, ...changes }));
    expect(toCall(interactionSchema.parse(interaction))?.channelId).toBe('1101000000000000206');
  });

  test.each([
    ['a direct message with the bot', { context: 1, authorizing_integration_owners: { 0: '0', 1: user.id } }],
    ['a group of people', { context: 2, authorizing_integration_owners: { 1: user.id } }],
    ['a place that Discord calls null', { guild_id: null, guild: null, member: null }],
  ])('is null in %s', (_, changes) => {
    const { guild_id, guild, guild_locale, member, ...outside } = inServer;
    expect(toCall(interactionSchema.parse({ ...outside, user, type: 2, ...changes }))).toBeNull();
  });
});

describe('a command', () => {
  test('has its options as text, whatever their kind', () => {
    const data = {
      id: '5',
      name: 'notion',
      type: 1,
      guild_id: inServer.guild_id,
      resolved: {
        users: { [user.id]: user },
        members: { [user.id]: { ...inServer.member, user: undefined } },
        attachments: { 9: { id: '9', filename: 'a.png', size: 1, url: '', proxy_url: '' } },
      },
      options: [
        {
          name: 'task',
          type: 1,
          options: [
            { name: 'database', type: 3, value: 'board', focused: true },
            { name: 'count', type: 4, value: 3 },
            { name: 'share', type: 10, value: 0.5 },
            { name: 'is-urgent', type: 5, value: false },
            { name: 'who', type: 6, value: user.id },
            { name: 'file', type: 11, value: '9' },
            { name: 'unheard-of', type: 99, value: { of: 'any kind' } },
            { name: 'nothing', type: 3, value: null },
          ],
        },
      ],
    };
    const { name, options, typed } = toCommand(read({ type: 2, data }));
    expect(name).toBe('task');
    expect(Object.fromEntries(options)).toEqual({
      database: 'board',
      count: '3',
      share: '0.5',
      'is-urgent': 'false',
      who: user.id,
      file: '9',
      'unheard-of': '',
      nothing: '',
    });
    expect(typed).toBe('board');
  });

  test('in a group of subcommands, in a person’s menu, or of another name, is not ours', () => {
    const group = { name: 'notion', type: 1, options: [{ name: 'admin', type: 2, options: [] }] };
    expect(toCommand(read({ type: 2, data: group })).name).toBe('admin');
    const other = { name: 'other', type: 1, options: [{ name: 'help', type: 1 }] };
    expect(toCommand(read({ type: 2, data: other })).name).toBe('');
    const menu = { name: 'Show', type: 2, target_id: user.id, resolved: { users: { [user.id]: user } } };
    const interaction = read({ type: 2, data: menu });
    expect([toCommand(interaction).name, toTarget(interaction)]).toEqual(['', null]);
  });

  test('of a message’s menu has the message, even one without text', () => {
    const message = {
      id: '88',
      content: null,
      embeds: [{ image: { url: 'https://a.example/a.png' } }],
      author: user,
    };
    const data = {
      name: 'Create Notion task',
      type: 3,
      target_id: '88',
      resolved: { messages: { 88: message } },
    };
    expect(toTarget(read({ type: 2, data }))).toEqual({
      id: '88',
      content: '',
      authorId: user.id,
    });
  });
});

test('a message shows its people and emoji as the channel does', () => {
  const other = { ...user, id: '208917000000000101', global_name: 'Mira $& Castellan' };
  const content = `<@${user.id}> ask <@!${other.id}> <a:dance:123> <:wave:5> in <#7> <@404> <@&9> @everyone`;
  const message = { id: '88', content, mentions: [user, other] };
  const data = {
    name: 'Create Notion task',
    type: 3,
    target_id: '88',
    resolved: { messages: { 88: message } },
  };
  expect(toTarget(read({ type: 2, data }))?.content).toBe(
    '@jonas_b ask @Mira $& Castellan :dance: :wave: in <#7> <@404> <@&9> @everyone',
  );
});

describe('a message without content of its own', () => {
  const shown = (message: Loose<APIMessage>) => {
    const data = {
      name: 'Create Notion task',
      type: 3,
      target_id: '88',
      resolved: { messages: { 88: { id: '88', content: '', mentions: [user], ...message } } },
    };
    return toTarget(read({ type: 2, data }))?.content;
  };
  const layout: unknown[] = [
    {
      type: 17,
      accent_color: null,
      components: [
        { type: 10, id: 2, content: `Deploy of <@${user.id}> failed` } satisfies APITextDisplayComponent,
        { type: 14, id: 3, divider: true },
        {
          type: 9,
          components: [{ type: 10, content: 'Linking broke.' }],
          accessory: { type: 2, style: 5, url: 'https://a.example/', label: 'Open' },
        },
        { type: 99, content: { of: 'a future kind' } },
      ],
    },
    { type: 1, components: [{ type: 2, style: 1, custom_id: 'retry', label: 'Retry' }] },
    { type: 12, items: [{ media: { url: 'https://a.example/a.png' } }] },
  ];

  test('says what stands in its layout', () => {
    expect(shown({ flags: 1 << 15, components: layout })).toBe('Deploy of @jonas_b failed\nLinking broke.');
  });

  test('says what stands in the layout of what it forwards', () => {
    const message = { content: '', mentions: [user], embeds: [], components: layout };
    expect(shown({ message_snapshots: [{ message }] })).toBe('Deploy of @jonas_b failed\nLinking broke.');
  });

  test('asks what its poll asks', () => {
    const poll: APIPoll = {
      question: { text: 'Which day?' },
      answers: [
        { answer_id: 1, poll_media: { text: 'Monday', emoji: { id: null, name: '🌙' } } },
        { answer_id: 2, poll_media: { emoji: { id: null, name: '🔥' } } },
        { answer_id: 3, poll_media: { text: 'Friday' } },
      ],
      expiry: null,
      allow_multiselect: false,
      layout_type: 1,
    };
    expect(shown({ poll })).toBe('Which day?\nMonday\nFriday');
  });

  test.each([[null], ['of a future kind'], [[{ type: 10, content: 'Text' }, 'of a future kind']]])(
    'is still the message although its layout is %j',
    (components) => {
      expect(shown({ components })).toBe('');
    },
  );
});

type Part = APIModalSubmitInteraction['data']['components'][number];
type PressedData = APIMessageComponentInteraction['data'];

describe('a modal', () => {
  test('is read field by field, skipping unknown kinds of parts', () => {
    const field = (component: object) => ({ type: 18, id: 1, component: { id: 2, ...component } }) as Part;
    const components: unknown[] = [
      { type: 10, id: 1 } satisfies Part,
      field({ type: 4, custom_id: 'title', value: 'A title' }),
      field({ type: 3, custom_id: 'status', values: [] }),
      field({ type: 5, custom_id: 'assignee', values: [user.id] }),
      field({ type: 21, custom_id: 'radio', value: null }),
      field({ type: 22, custom_id: 'boxes', values: ['a', 'b'] }),
      field({ type: 23, custom_id: 'box', value: true }),
      field({ type: 19, custom_id: 'files', values: ['9'] }),
      { type: 1, components: [{ type: 4, custom_id: 'due', value: '' }] },
      { type: 99, component: 'of a future kind' },
      { type: 18, component: { type: 98, custom_id: 7, value: { deep: [1] } } },
    ];
    const interaction = read({ type: 5, data: { custom_id: 'task:a:b', components } });
    expect(toCustomId(interaction)).toEqual({ name: 'task', args: ['a', 'b'] });
    const fields = Object.fromEntries(toFields(interaction));
    expect(fields).toMatchObject({
      title: ['A title'],
      status: [],
      assignee: [user.id],
      radio: [],
      boxes: ['a', 'b'],
      box: [],
      files: ['9'],
      due: [''],
    });
  });
});

describe('a component', () => {
  test.each<[string, PressedData | object, string[] | undefined]>([
    ['button', { component_type: 2, custom_id: 'assign:a' } satisfies PressedData, undefined],
    ['menu', { component_type: 3, custom_id: 'assign:a', values: ['x'] } satisfies PressedData, ['x']],
    ['menu of people', { component_type: 5, custom_id: 'assign:a', values: ['1'], resolved: {} }, ['1']],
    ['future kind', { component_type: 99, custom_id: 'assign:a', values: null, id: 4 }, undefined],
  ])('that is a %s is known by its custom id', (_, data, values) => {
    const interaction = read({ type: 3, data, message: { id: '88', content: '', flags: 64 } } as object);
    expect(toCustomId(interaction)).toEqual({ name: 'assign', args: ['a'] });
    expect(interaction.data?.values).toEqual(values);
    expect(interaction.message?.id).toBe('88');
  });
});
