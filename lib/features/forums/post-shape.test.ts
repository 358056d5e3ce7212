import { expect, test } from 'vitest';
import { tagsNamed } from '@/lib/integrations/discord/discord-forums';
import type { Page } from '@/lib/integrations/notion/notion-page';
import { buildPost } from './post-shape';

const option = (id: string, name: string) => ({ id, name, color: 'default' });
const group = (name: string, ...optionIds: string[]) => ({ name, color: 'default', optionIds });
const status = {
  id: 's',
  name: 'Status',
  type: 'status',
  options: [option('1', 'Open'), option('2', 'Shipped')],
  groups: [group('To-do', '1'), group('Complete', '2')],
};
const areas = {
  id: 'm',
  name: 'Areas',
  type: 'multi_select',
  options: [option('a', 'Art, and sound'), option('b', 'Code')],
  groups: [],
};
const page = (title: string, values: Record<string, object>) =>
  ({ id: 'p', title, values: new Map(Object.entries(values)) }) as unknown as Page;
const ofStatus = (id: string, text: string) => ({ s: { type: 'status', key: id, text, optionId: id } });
const rule = (tagPropertyId?: string) => ({
  destination: { kind: 'forum' as const, ...(tagPropertyId && { tagPropertyId }) },
  database: { statusPropertyId: 's', ofPosts: [status, areas] },
});

test.each([
  ['a page', rule('s'), page('One', ofStatus('1', 'Open')), ['One', ['Open'], false]],
  ['a page that is done', rule('s'), page('One', ofStatus('2', 'Shipped')), ['One', ['Shipped'], true]],
  ['no property for tags', rule(), page('One', ofStatus('2', 'Shipped')), ['One', [], true]],
  ['an option that is new', rule('s'), page('One', ofStatus('9', 'New')), ['One', ['New'], false]],
  [
    'several values',
    rule('m'),
    page('One', { m: { type: 'multi_select', key: 'a,b', text: 'Art, and sound, Code', ids: ['a', 'b'] } }),
    ['One', ['Art, and sound', 'Code'], false],
  ],
  ['no value', rule('s'), page('One', { s: { type: 'status', key: '', text: '' } }), ['One', [], false]],
  ['no title', rule(), page('  ', {}), ['Untitled', [], false]],
  ['a long title', rule(), page('x'.repeat(200), {}), [`${'x'.repeat(99)}…`, [], false]],
] as const)('the post of %s', (_, given, shown, [name, tags, isClosed]) => {
  expect(buildPost(given, shown)).toEqual({ name, tags, isClosed, pageId: 'p' });
});

test.each([
  [['in  PROGRESS '], ['1']],
  [['Waiting for somebody else'], ['2']],
  [
    ['Done', 'In progress', 'Done'],
    ['3', '1'],
  ],
  [['Unknown'], []],
] as const)('the tags named %j are %j', (names, ids) => {
  const tags = [
    { id: '1', name: 'In progress', moderated: false },
    { id: '2', name: 'Waiting for somebody', moderated: false },
    { id: '3', name: 'Done', moderated: false },
  ];
  expect(tagsNamed(tags, [...names])).toEqual(ids);
});
