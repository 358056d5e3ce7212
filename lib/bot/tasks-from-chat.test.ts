import { afterAll, beforeAll, expect, test } from 'vitest';
import { Chatter, controlsOf } from '@/lib/testing/chat';
import { eventually, startConnectedProduct } from '@/lib/testing/product';

let story: Awaited<ReturnType<typeof startConnectedProduct>>;
let mira: Chatter;
let jonas: Chatter;

beforeAll(async () => {
  story = await startConnectedProduct();
  await story.product.work();
  mira = new Chatter(story.product, 'mira', story.channel('tasks'));
  jonas = new Chatter(story.product, 'jonas', story.channel('tasks'));
  await eventually(async () => !(await mira.run('help')).error);
});
afterAll(() => story.product.stop());

// biome-ignore lint/suspicious/noExplicitAny: what a row holds is what the tests are about.
async function rows(title: string): Promise<any[]> {
  const all = await story.product.control('notion', 'GET', `/rows?database=${story.board.id}`);
  return all.filter((row: { title: string }) => row.title === title);
}

test('a task is created from the form, and counts as the first', async () => {
  const opened = await mira.run('task');
  expect(opened.error).toBeUndefined();
  const { modal } = await mira.lastInteraction();
  expect(modal.components.map(({ label }: { label: string }) => label)).toEqual([
    'Title',
    'Status',
    'Assignee',
    'Due date',
    'Description',
  ]);
  const status = modal.components[1].component.options.find(
    ({ label }: { label: string }) => label === 'In review',
  );
  expect(status.description).toBe('In progress');
  await mira.submit(opened.interactionId, {
    title: ['Lantern flicker @everyone'],
    status: [status.value],
    assignee: [mira.userId],
    due: ['2026-12-01'],
    description: ['Only at dusk.'],
  });
  const answer = await mira.answer();
  expect(answer.content).toMatch(/^Created \[Lantern flicker @\u200beveryone\]\(http.*\) in Sprint board\.$/);
  expect(answer.ephemeralFor).toBe(mira.userId);
  expect(answer.pings.everyone).toBe(false);
  expect(controlsOf(answer).map(({ label }) => label)).toEqual([
    'Assign to me',
    'Change status',
    'Open in Notion',
  ]);
  const [row] = await rows('Lantern flicker @everyone');
  expect(JSON.stringify(row)).toContain('In review');
  const me = await story.product.call('mira', 'GET', '/api/app/me');
  expect(me.body.checklist.firstTaskCreated).toBe(true);
});
