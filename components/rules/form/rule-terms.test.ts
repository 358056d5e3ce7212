import { describe, expect, test } from 'vitest';
import { ruleTermsSchema } from '@/lib/features/matching/schema';
import type { Rule } from '@/lib/features/rules/schema';
import type { Server } from '@/lib/features/servers/schema';
import type { Property, Workspace } from '@/lib/features/workspaces/schema';
import { findDuplicate } from './find-duplicate';
import {
  channelProblem,
  filterableStatus,
  initialValues,
  isSourceMissing,
  isWatchMissing,
  ofDatabase,
  ofEvent,
  ofSource,
  proposedDatabase,
  proposedValues,
  type RuleFormValues,
  ruleInput,
} from './rule-terms';

const status: Property = { id: 's', name: 'Status', type: 'status', options: [], isStatus: true };
const title: Property = { id: 'title', name: 'Name', type: 'title', options: [], isStatus: false };

function channel(id: string, botHasAccess: boolean): Server['channels'][number] {
  return {
    id,
    name: id,
    category: null,
    botHasAccess,
    accessProblem: null,
    pingsAllRoles: false,
    usedInRules: 0,
    isGone: false,
    kind: 'text' as const,
    parentName: null,
    isArchived: false,
    tags: [],
    needsTag: false,
  };
}

function database(id: string, type: 'task' | 'page'): Workspace['databases'][number] {
  const nothing = {
    icon: null,
    url: null,
    usedInRules: 0,
    lastEventAt: null,
    statusOptions: [],
    statusGroups: [],
  };
  return { id, name: id, type, ...nothing };
}

const server: Server = {
  id: 'srv',
  name: 'Server',
  guildId: '1',
  iconUrl: null,
  checkedAt: null,
  installedAt: '2026-11-20T00:00:00Z',
  problem: null,
  publicWays: [],
  channels: [channel('c1', false), channel('c2', true)],
  roles: [],
};

const workspace: Workspace = {
  id: 'w',
  name: 'Workspace',
  icon: null,
  checkedAt: null,
  canReadComments: null,
  installer_discord_user_id: null,
  problem: null,
  users: [],
  databases: [database('d1', 'task')],
};

const values: RuleFormValues = {
  ...initialValues(null, server, workspace),
  eventType: 'page_updated',
  watchedProperties: ['s'],
  statusTo: ['Done'],
};

test('a new rule starts with the first database, the first accessible channel and page_created', () => {
  expect(initialValues(null, server, workspace)).toMatchObject({
    databaseId: 'd1',
    channelId: 'c2',
    eventType: 'page_created',
  });
});

test('the status filter needs an update event and a watched status property', () => {
  expect(filterableStatus(values, [title, status])).toBe(status);
  expect(filterableStatus({ ...values, eventType: 'page_created' }, [title, status])).toBeNull();
  expect(filterableStatus({ ...values, watchedProperties: ['title'] }, [title, status])).toBeNull();
  expect(filterableStatus(values, [title])).toBeNull();
});

test('fields that the form does not show are not sent', () => {
  const created = ruleInput({ ...values, eventType: 'page_created' }, [title, status], workspace);
  expect(created).toMatchObject({ dbType: 'task', watchedProperties: [], statusTo: [] });
  const unwatched = ruleInput({ ...values, watchedProperties: ['title'] }, [title, status], workspace);
  expect(unwatched.statusTo).toEqual([]);
});

test('the status filter of an edited rule survives when the properties could not be loaded', () => {
  expect(ruleInput(values, [], workspace).statusTo).toEqual(['Done']);
});

test('only a rule for new pages can post them at once', () => {
  const atOnce = { ...values, atOnce: true };
  expect(ruleInput(atOnce, [status], workspace).atOnce).toBe(false);
  expect(ruleInput({ ...atOnce, eventType: 'page_created' }, [status], workspace).atOnce).toBe(true);
});

const REMINDING = {
  eventType: 'date_near' as const,
  schedule: { propertyId: 'd', days: 1, at: '09:00' },
};

const posting: Rule = {
  ...ruleTermsSchema.parse(values),
  databaseId: values.databaseId,
  channelId: values.channelId,
  source: { kind: 'database', databaseId: 'd1' },
  sourceName: 'Tasks',
  pageTitle: null,
  sourceIcon: null,
  sourceUrl: null,
  id: 'r1',
  databaseName: 'Tasks',
  databaseType: 'task',
  dbType: 'task',
  channelName: 'c2',
  place: '#c2',
  enabled: true,
  watching: 'Status changes',
  lastDelivery: null,
  health: { state: 'posting', reason: null, fix: null, until: null },
  problems: [],
};

describe('the form of a rule that needs repair starts without what is gone', () => {
  const rule: Rule = {
    ...posting,
    watchedProperties: ['s', 'x'],
    statusTo: ['Done', 'o9'],
    displayedFields: ['x', 'title'],
    health: { state: 'broken', reason: null, fix: null, until: null },
  };
  const gone = (part: Rule['problems'][number]['part'], id: string) => ({ part, id, text: 'Gone.' });

  test('a property and an option', () => {
    const problems = [gone('watchedProperties', 'x'), gone('statusTo', 'o9'), gone('displayedFields', 'x')];
    expect(initialValues({ ...rule, problems }, server, workspace)).toMatchObject({
      databaseId: 'd1',
      watchedProperties: ['s'],
      statusTo: ['Done'],
      displayedFields: ['title'],
    });
  });

  test('a property with people, or with the tags of posts', () => {
    const problems = [gone('destination', 'x')];
    const opened = (destination: Rule['destination']) =>
      initialValues({ ...rule, destination, problems }, server, workspace).destination;
    expect(opened({ kind: 'people', propertyId: 'x' })).toEqual({ kind: 'people', propertyId: '' });
    expect(opened({ kind: 'forum', tagPropertyId: 'x' }).kind).not.toBe('people');
  });

  test('a role, but not one that only cannot be pinged', () => {
    const roles = [{ id: 'shut', name: 'Leads', isMentionable: false }];
    const mentions = { ...posting.mentions, roleIds: ['shut', 'gone'] };
    const problems = [gone('mentions', 'shut'), gone('mentions', 'gone')];
    const values = initialValues({ ...posting, mentions, problems }, { ...server, roles }, workspace);
    expect(values.mentions.roleIds).toEqual(['shut']);
  });

  test('the database, and with it everything that was chosen from it', () => {
    expect(initialValues({ ...rule, problems: [gone('database', 'd1')] }, server, workspace)).toMatchObject({
      databaseId: '',
      channelId: 'c2',
      watchedProperties: [],
      statusTo: [],
      displayedFields: [],
    });
  });
});

test.each([
  ['c1', 'The bot has no access to #c1. Send Messages is denied.'],
  ['c2', null],
  ['', null],
])('why no card can stand in channel %j is said with its name', (channelId, problem) => {
  const denied = { ...channel('c1', false), accessProblem: 'Send Messages is denied' };
  expect(channelProblem({ channelId }, { ...server, channels: [denied, channel('c2', true)] })).toBe(problem);
});

test.each([
  ['the first task database', [database('d1', 'page'), database('d2', 'task'), database('d3', 'task')], 'd2'],
  ['the first of all where none is a task database', [database('d1', 'page'), database('d2', 'page')], 'd1'],
  ['nothing without a database', [], undefined],
])('a first rule is proposed for %s', (_which, databases, id) => {
  expect(proposedDatabase({ ...workspace, databases })?.id).toBe(id);
});

test('the proposed rule watches the status, else new pages, and leaves the channel to be chosen', () => {
  expect(proposedValues('d1', [title, status])).toMatchObject({
    databaseId: 'd1',
    eventType: 'page_updated',
    watchedProperties: ['s'],
    channelId: '',
  });
  expect(proposedValues('d1', [title])).toMatchObject({
    databaseId: 'd1',
    eventType: 'page_created',
    watchedProperties: [],
    channelId: '',
  });
});

describe('a rule that a clock fires', () => {
  const entered: RuleFormValues = {
    ...values,
    card: 'living',
    timing: { kind: 'digest', every: 'hour' },
    authors: { mode: 'anyone', people: [], bots: false },
    atOnce: true,
    conditions: {
      match: 'all',
      items: [
        { propertyId: 's', operator: 'changed', from: [], to: [] },
        { propertyId: 's', operator: 'is_not_empty' },
      ],
    },
    ...REMINDING,
  };

  test('is sent without what only things that happen have', () => {
    expect(ruleInput(entered, [status], workspace)).toMatchObject({
      eventType: 'date_near',
      schedule: { propertyId: 'd', days: 1, at: '09:00' },
      watchedProperties: [],
      statusTo: [],
      card: 'each',
      timing: { kind: 'now' },
      authors: { mode: 'anyone', bots: true },
      atOnce: false,
      conditions: { items: [{ operator: 'is_not_empty' }] },
    });
    const list = ruleInput({ ...entered, ...ofEvent('summary'), size: 'compact' }, [status], workspace);
    expect(list).toMatchObject({ size: 'full', rollUp: false, schedule: { every: 'workday' } });
  });

  test('keeps what was entered for when something that happens is chosen again', () => {
    const again = ruleInput({ ...entered, ...ofEvent('page_updated') }, [status], workspace);
    expect(again).toMatchObject({ schedule: null, card: 'living', watchedProperties: ['s'] });
  });

  test('loses its date with its database, and its event with databases', () => {
    expect(ofDatabase('d2', entered)).toMatchObject({ schedule: { propertyId: '', days: 1 } });
    expect(ofSource({ kind: 'workspace' }, entered)).toMatchObject({
      eventType: 'page_created',
      schedule: null,
    });
    expect(ofSource({ kind: 'workspace' }, values)).not.toHaveProperty('eventType');
  });
});

describe('a rule of another source than a database', () => {
  const page = { id: 'p1', title: 'Wiki', icon: null };
  const ofPage: RuleFormValues = { ...values, ...ofSource({ kind: 'page', page, subpages: 'all' }) };

  test('is sent with the source alone, and the title as what is watched', () => {
    const source = { kind: 'page', pageId: 'p1', subpages: 'all' };
    const sent = ruleInput(ofPage, [], workspace);
    expect(sent).toMatchObject({ source, watchedProperties: ['title'], statusTo: [], displayedFields: [] });
    expect(Object.keys(sent)).not.toContain('databaseId');
    expect(ruleInput({ ...ofPage, eventType: 'page_created' }, [], workspace).watchedProperties).toEqual([]);
  });

  test('needs a page, and no properties', () => {
    expect([isSourceMissing(ofPage), isWatchMissing(ofPage)]).toEqual([false, false]);
    expect(isSourceMissing({ ...ofPage, source: { kind: 'page', page: null, subpages: 'all' } })).toBe(true);
    expect(isSourceMissing({ ...ofPage, source: { kind: 'workspace' } })).toBe(false);
  });

  test('is edited with the page as it was chosen, or without one that is gone', () => {
    const source = { kind: 'page' as const, pageId: 'p1', subpages: 'children' as const };
    const rule: Rule = { ...posting, source, pageTitle: 'Wiki', databaseId: null, dbType: null };
    expect(initialValues(rule, server, workspace).source).toEqual({
      kind: 'page',
      page,
      subpages: 'children',
    });
    const problems = [{ part: 'source' as const, id: 'p1', text: 'Gone.' }];
    expect(initialValues({ ...rule, problems }, server, workspace).source).toMatchObject({ page: null });
  });
});

describe('the buttons in the request', () => {
  const actions: RuleFormValues['actions'] = ['assign_me', 'status', 'comment', 'set:gone'];
  const values = { ...initialValues(null, server, workspace), actions };

  test('are those that the database can have', () => {
    expect(ruleInput(values, [title, status], workspace).actions).toEqual(['assign_me', 'status', 'comment']);
    expect(ruleInput(values, [title], workspace).actions).toEqual(['comment']);
    expect(ruleInput(values, [], workspace).actions).toEqual(actions);
  });

  test('are for people of other sources comments alone', () => {
    const source = { kind: 'workspace' as const };
    expect(ruleInput({ ...values, source }, [], workspace).actions).toEqual([
      'assign_me',
      'status',
      'comment',
    ]);
    const destination = { kind: 'person' as const, discordUserId: '208917000000000101' };
    expect(ruleInput({ ...values, source, destination }, [], workspace).actions).toEqual(['comment']);
  });

  test('follow the destination until somebody chooses others', () => {
    const destination = { kind: 'person' as const, discordUserId: '208917000000000101' };
    const opened = (rule: Partial<Rule>) => initialValues({ ...posting, ...rule }, server, workspace).actions;
    expect(opened({ actions: ['assign_me', 'status'] })).toBeNull();
    expect(opened({ actions: ['status'] })).toEqual(['status']);
    expect(opened({ actions: [] })).toEqual([]);
    expect(opened({ actions: [], destination, channelId: null })).toBeNull();
    expect(opened({ actions: [], databaseType: 'page' })).toBeNull();
  });

  test('are none of a choice that nobody made', () => {
    expect(ruleInput({ ...values, actions: null }, [title, status], workspace).actions).toBeNull();
  });
});

describe('a rule that does the same already', () => {
  const draft = ruleInput({ ...values, watchedProperties: ['s', 'title'] }, [status, title], workspace);
  const twin: Rule = { ...posting, watchedProperties: ['title', 's'], displayedFields: ['title'] };

  test('is found whatever its order and fields', () => {
    expect(findDuplicate(draft, [posting, twin])).toBe(twin);
  });

  test('is found whatever the order in which its schedule came', () => {
    const reminding = ruleInput({ ...values, ...REMINDING }, [], workspace);
    const { authors, conditions, destination } = reminding;
    const stored: Rule = {
      ...posting,
      ...REMINDING,
      authors,
      conditions,
      destination,
      watchedProperties: [],
      statusTo: [],
    };
    const schedule = { at: '09:00', days: 1, propertyId: 'd' };
    expect(findDuplicate(reminding, [{ ...stored, schedule }])).not.toBeNull();
    expect(findDuplicate(reminding, [{ ...stored, schedule: { ...schedule, days: 2 } }])).toBeNull();
  });

  test('is found whatever the order of what its conditions are made of', () => {
    const item = { propertyId: 's', operator: 'is' as const, values: ['Done', 'Cut'] };
    const stored = { values: ['Cut', 'Done'], operator: 'is' as const, propertyId: 's' };
    const conditional = { ...draft, conditions: { match: 'all' as const, items: [item] } };
    const found = (items: (typeof stored)[]) =>
      findDuplicate(conditional, [{ ...twin, conditions: { items, match: 'all' } }]);
    expect(found([stored])).not.toBeNull();
    expect(found([{ ...stored, values: ['Cut'] }])).toBeNull();
  });

  test('differs in how and when it is told at most', () => {
    const terms = ruleTermsSchema.keyof().options;
    const free = terms.filter((term) => findDuplicate(draft, [{ ...twin, [term]: 'something else' }]));
    const how = ['name', 'displayedFields', 'mentions', 'card', 'size', 'rollUp', 'actions'];
    const when = ['atOnce', 'timing', 'urgent'];
    expect(free.sort()).toEqual([...how, ...when].sort());
  });

  test('has a term that the form leaves out as it is in a rule that does not use it', () => {
    const { statusTo: _, ...short } = draft;
    const left = short as typeof draft;
    expect(findDuplicate(left, [{ ...twin, statusTo: [] }])).not.toBeNull();
    expect(findDuplicate(left, [{ ...twin, statusTo: ['Done'] }])).toBeNull();
  });

  test.each([
    ['another database', { databaseId: 'd2' }],
    ['another channel', { channelId: 'c1' }],
    ['another event', { eventType: 'page_created' }],
    ['fewer watched properties', { watchedProperties: ['s'] }],
    ['another status', { statusTo: ['Cut'] }],
    ['any status', { statusTo: [] }],
    ['another schedule', { schedule: { every: 'hour', skipEmpty: true } }],
    ['other authors', { authors: { mode: 'anyone', people: [], bots: false } }],
  ] as const)('is no twin with %s', (_what, changed) => {
    const other = { ...twin, ...structuredClone(changed) } as Rule;
    expect(findDuplicate(draft, [other])).toBeNull();
  });
});
