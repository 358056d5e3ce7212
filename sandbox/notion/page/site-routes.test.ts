import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type NotionStage, startNotion } from '../start-notion';

interface Summary {
  id: string;
  title: string;
  inTrash: boolean;
  editedBy: string;
  body: string[];
  properties: Record<string, unknown>;
}

const GOLEM = 'Boss fight: ember golem';
let stage: NotionStage;

beforeAll(async () => {
  stage = await startNotion();
});
afterAll(() => stage.stop());
beforeEach(() => stage.store.reset());

const rows = () => stage.control<Summary[]>('GET', '/rows?database=Sprint%20board');
const golem = async () => {
  const found = (await rows()).find((each) => each.title === GOLEM);
  if (!found) throw new Error('no golem');
  return found;
};
const cookie = (person: string) => ({ cookie: `sandbox_notion_person=${person}` });
const page = async (path: string, person = 'mira') => {
  const response = await fetch(`${stage.url}${path}`, { headers: cookie(person) });
  return { status: response.status, text: await response.text() };
};
const send = (path: string, body: unknown, person = 'jonas') =>
  fetch(`${stage.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...cookie(person) },
    body: JSON.stringify(body),
  });
const submit = (path: string, fields: Record<string, string> = {}) =>
  fetch(`${stage.url}${path}`, {
    method: 'POST',
    headers: cookie('jonas'),
    body: new URLSearchParams(fields),
    redirect: 'manual',
  });

test('the table labels each cell and groups the status', async () => {
  const { text } = await page('/');
  expect(text).toMatch(/^<!doctype html>/);
  expect(text).toContain('Sandbox: a stand-in for Notion');
  expect(text).toContain(`aria-label="Status of ${GOLEM}"`);
  expect(text).toContain('<optgroup label="In progress">');
});

test('each person sees their own databases', async () => {
  expect((await page('/', 'mira')).text).toContain('Studio budget');
  expect((await page('/', 'jonas')).text).not.toContain('Studio budget');
  expect((await page('/', 'vera')).text).toContain('Night market');
  const { id } = await golem();
  expect((await page(`/p/${id}`, 'jonas')).text).toContain('Page content');
  expect((await page(`/p/${id}`, 'vera')).status).toBe(404);
  expect((await send(`/ui/rows/${id}`, { property: 'Estimate', value: 1 }, 'vera')).status).toBe(404);
});

test('an edit is made by the person of the page', async () => {
  const { id } = await golem();
  expect((await send(`/ui/rows/${id}`, { property: 'Status', value: 'Done' })).status).toBe(200);
  expect((await send(`/ui/rows/${id}/body`, { value: 'One.\n\nTwo.' })).status).toBe(200);
  const after = await golem();
  expect([after.editedBy, after.properties['Status'], after.body]).toEqual([
    'Jonas Brandt',
    'Done',
    ['One.', 'Two.'],
  ]);
});

test('a comment is written by the person of the page', async () => {
  const { id } = await golem();
  const at = (await submit(`/ui/rows/${id}/comments`, { text: 'Too <b>hot</b>, @Priya Raman' })).headers;
  expect(at.get('location')).toMatch(/#comments$/);
  await submit(`/ui/rows/${id}/comments`, { text: ' ' });
  const { text } = await page(`/p/${id}`, 'jonas');
  expect(text).toContain('Too &lt;b&gt;hot&lt;/b&gt;, @Priya Raman');
  expect(text.match(/<li><strong>/g)).toHaveLength(1);
});

test('an impossible edit is refused with a sentence', async () => {
  const { id } = await golem();
  const response = await send(`/ui/rows/${id}`, { property: 'Points', value: 3 });
  expect([response.status, await response.json()]).toEqual([
    400,
    { error: '"Points" is computed by Notion and cannot be edited.' },
  ]);
});

test('rows are added, trashed and restored', async () => {
  const databases = await stage.control<{ id: string; name: string }[]>('GET', '/databases');
  const board = databases.find((each) => each.name === 'Sprint board')?.id;
  expect((await submit(`/ui/databases/${board}/rows`, { title: 'Hidden shrine' })).status).toBe(303);
  const added = (await rows()).find((each) => each.title === 'Hidden shrine');
  await submit(`/ui/rows/${added?.id}/trash`);
  expect((await rows()).find((each) => each.id === added?.id)?.inTrash).toBe(true);
  expect((await page('/')).text).toContain('Restore Hidden shrine');
  await submit(`/ui/rows/${added?.id}/trash`, { restore: 'yes' });
  expect((await rows()).find((each) => each.id === added?.id)?.inTrash).toBe(false);
});

test('columns and options are added, renamed and deleted', async () => {
  const databases = await stage.control<{ id: string; name: string }[]>('GET', '/databases');
  const path = `/ui/databases/${databases.find((each) => each.name === 'Sprint board')?.id}/schema`;
  for (const edit of [
    { action: 'add property', name: 'Mood', type: 'select' },
    { action: 'add option', property: 'Mood', name: 'Bright', color: 'yellow' },
    { action: 'add option', property: 'Status', name: 'Polishing', color: 'pink', group: 'In progress' },
    { action: 'rename option', property: 'Status', option: 'In progress', name: 'Underway' },
    { action: 'convert property', property: 'Notes', type: 'select' },
    { action: 'delete property', property: 'PR' },
  ])
    expect((await send(path, edit)).status).toBe(200);
  expect((await send(path, { action: 'delete property', property: 'Name' })).status).toBe(400);
  const { id } = await golem();
  await send(`/ui/rows/${id}`, { property: 'Mood', value: 'Bright' });
  await send(path, { action: 'convert property', property: 'Mood', type: 'rich_text' });
  const { properties } = await golem();
  expect(properties).toMatchObject({ Status: 'Underway', Mood: 'Bright' });
  expect(properties).not.toHaveProperty('PR');
});

test('a text from a row cannot become markup', async () => {
  const { id } = await golem();
  await send(`/ui/rows/${id}`, { property: 'Name', value: '"><script>alert(1)</script>' });
  expect((await page('/')).text).not.toContain('<script>alert(1)');
});
