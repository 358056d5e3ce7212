import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { listDeliveryRows } from '@/lib/testing/deliveries';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import { editsSettleAt } from '../matching/settle';

const GOLEM = 'Boss fight: ember golem';
const MINUTE = 60_000;
const at = (minutes: number) => new Date(Date.UTC(2026, 10, 22) + minutes * MINUTE);

describe('edits of a page’s content', () => {
  test.each([
    [
      'are told after five minutes of quiet',
      { firstEventAt: at(0), lastEventAt: at(3), lastEditedAt: at(3) },
      8,
    ],
    [
      'are told after an hour without any',
      { firstEventAt: at(0), lastEventAt: at(59), lastEditedAt: at(59) },
      60,
    ],
    [
      'are told at once when their events come late',
      { firstEventAt: at(30), lastEventAt: at(30), lastEditedAt: at(2) },
      8,
    ],
  ])('%s', (_, edits, minutes) => {
    expect(editsSettleAt(edits)).toEqual(at(minutes));
  });
});

let pipeline: Pipeline;
beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  await pipeline.story.product.work();
});
afterAll(() => pipeline.story.product.stop());
beforeEach(async () => {
  await pipeline.settle();
  await pipeline.clear();
});

const control = (method: string, path: string, body?: unknown) =>
  pipeline.story.product.control('notion', method, path, body);
const about = (eventType: string, changes: Record<string, unknown> = {}) =>
  pipeline.rule({ eventType, watchedProperties: [], ...changes });
const comment = (body: Record<string, unknown>) =>
  pipeline.told(() => control('POST', '/comments', { page: GOLEM, database: 'Sprint board', ...body }));
const move = (where: 'trash' | 'restore', page: string, as = 'mira') =>
  pipeline.told(() => control('POST', `/rows/${where}`, { page, as }));
const write = (body: string, as = 'mira') =>
  pipeline.told(() => control('PATCH', '/rows', { page: GOLEM, database: 'Sprint board', body, as }));
const reasons = async () =>
  (await listDeliveryRows('event')).map(({ state, reason }) => (reason ? `${state}: ${reason}` : state));
const contents = async () => (await pipeline.cards()).map(({ content }) => content);

describe('a rule for comments', () => {
  test('posts each comment with its author and its text, and pings nobody whom the text names', async () => {
    await about('comment_created');
    await comment({ as: 'jonas', text: 'See **this**, @Priya Raman and @everyone\n<@1>' });
    await comment({ as: 'mira', text: 'Done.' });
    await pipeline.idle();
    const [first, second, ...more] = await pipeline.cards();
    expect(more).toEqual([]);
    expect(first.content).toMatch(/^Jonas Brandt commented on Boss fight: ember golem: See /);
    expect(first.embeds[0]).toMatchObject({ title: GOLEM, url: expect.any(String) });
    const [quoted, rest, by] = first.embeds[0].description.split('\n');
    expect(quoted).toBe('> See \\*\\*this\\*\\*, @Priya Raman and @\u200beveryone');
    expect(rest).toBe('> \\<@1\\>');
    expect(by).toMatch(/^Commented by .*Jonas|^Commented by <@/);
    expect(first.embeds[0].footer.text).toMatch(/· Comment Added$/);
    expect(first.pings).toMatchObject({ roles: [], everyone: false });
    expect(second.content).toBe('Mira Castellan commented on Boss fight: ember golem: Done.');
    expect(await reasons()).toEqual(['sent', 'sent']);
  });

  test('names a guest, whom no list of people has', async () => {
    await about('comment_created');
    await comment({ as: 'felix', text: 'Servus.' });
    await pipeline.idle();
    expect((await contents())[0]).toBe(`Felix Amsel commented on ${GOLEM}: Servus.`);
  });

  test('names whom a connection writes as, and sees the page as it is now', async () => {
    await about('comment_created', {
      conditions: { match: 'all', items: [{ propertyId: 'Priority', operator: 'is', values: ['High'] }] },
    });
    await pipeline.edit(GOLEM, { Priority: 'High' });
    await comment({ as: 'build-herald', customName: 'Nightly build', text: 'Red.' });
    await pipeline.idle();
    await pipeline.edit(GOLEM, { Priority: 'Low' });
    await comment({ text: 'Not now.' });
    await pipeline.idle();
    expect(await contents()).toEqual([`Nightly build commented on ${GOLEM}: Red.`]);
    expect((await reasons()).filter((each) => each !== 'skipped: other_event')).toEqual([
      'sent',
      'skipped: filtered_by_condition',
    ]);
  });

  test('says why it posts no suggested edit, no comment that is gone, and none twice', async () => {
    await about('comment_created');
    await comment({ isSuggestion: true });
    await pipeline.idle();
    await comment({ text: ' ' });
    await pipeline.idle();
    const { id } = await comment({ text: 'Once.' });
    await pipeline.idle();
    await pipeline.redeliver(id);
    await pipeline.idle();
    expect(await reasons()).toEqual(['skipped: comment_gone', 'skipped: suggested_edit', 'sent']);
  });

  test('posts when Notion answers again, and not without the capability', async () => {
    await about('comment_created');
    pipeline.fault({ target: 'notion', kind: 'fail', match: 'GET /v1/comments/.*', times: 2, status: 503 });
    pipeline.fault({ target: 'notion', kind: 'block', match: 'GET /v1/comments/.*', times: 2 });
    await comment({ text: 'Late.' });
    await pipeline.idle();
    expect(await contents()).toEqual([`Mira Castellan commented on ${GOLEM}: Late.`]);
    pipeline.fault({ target: 'notion', kind: 'fail', match: 'GET /v1/comments/.*', status: 403 });
    await comment({ text: 'Refused.' });
    await pipeline.idle();
    expect(await reasons()).toEqual(['sent', 'skipped: comments_refused']);
    const { product } = pipeline.story;
    const known = async () =>
      (await product.call('mira', 'GET', '/api/app/notion/workspace')).body.canReadComments;
    expect(await known()).toBe(false);
    await control('PATCH', '/settings', {
      capabilities: ['read_content', 'update_content', 'insert_content'],
    });
    await expect(about('comment_created')).rejects.toThrow(
      '"eventType: Notion does not let Pagewire read comments.',
    );
    await control('PATCH', '/settings', {
      capabilities: ['read_content', 'update_content', 'insert_content', 'read_comments'],
    });
    await product.call('mira', 'POST', '/api/app/notion/workspace/refresh', {});
    expect(await known()).toBe(true);
  });

  test('of many comments that come together, none is left out', async () => {
    await about('comment_created');
    pipeline.fault({ target: 'notion', kind: 'fail', match: 'GET /v1/pages/.*', times: 3, status: 503 });
    for (let nr = 0; nr < 12; nr += 1) await control('POST', '/comments', { page: GOLEM, text: `Nr ${nr}` });
    await comment({ text: 'Last.' });
    await pipeline.idle();
    expect(await contents()).toHaveLength(13);
  });
});

test('a change is told although a comment came before its event', async () => {
  await pipeline.prepare(GOLEM, { Status: 'Backlog' });
  await pipeline.rule();
  await about('comment_created');
  pipeline.fault({ target: 'notion.webhook', kind: 'drop' });
  const { id } = await pipeline.edit(GOLEM, { Status: 'Done' });
  await comment({ text: 'Look.' });
  await pipeline.idle();
  await pipeline.redeliver(id);
  await pipeline.idle();
  expect(await pipeline.lines()).toContain(`${GOLEM}: Status: Backlog → Done`);
});

test('a workspace without a rule for comments reads nothing for one', async () => {
  await pipeline.rule();
  const { payload } = await comment({ text: 'Unheard.' });
  await pipeline.idle();
  expect(await pipeline.outcomes()).toEqual(['no_rules']);
  expect(await pipeline.fetches(await pipeline.pageId(GOLEM))).toBe(0);
  expect(payload.type).toBe('comment.created');
});

describe('a rule for edited content', () => {
  test('tells all edits of a page in one card, once nobody has edited it for five minutes', async () => {
    await about('content_updated');
    await write('One');
    await pipeline.idle();
    expect(await reasons()).toEqual(['settling']);
    await pipeline.pass(3);
    await write('One\nTwo', 'jonas');
    await pipeline.pass(3);
    expect(await contents()).toEqual([]);
    await pipeline.pass(3);
    expect(await contents()).toEqual([`Mira Castellan and Jonas Brandt edited ${GOLEM}`]);
    expect(await reasons()).toEqual(['skipped: merged', 'sent']);
    await write('Three');
    await pipeline.pass(6);
    expect(await contents()).toHaveLength(2);
  });

  test('tells of a page that is edited without end after an hour, and of nothing else that happens', async () => {
    await about('content_updated');
    await write('Four');
    for (const minutes of [4, 4, 4]) {
      await pipeline.pass(minutes);
      await write(`Five ${minutes} ${randomUUID()}`);
    }
    await pipeline.edit(GOLEM, { Estimate: 1 });
    await pipeline.pass(4);
    expect(await contents()).toEqual([]);
    await db().$executeRaw`update decision set created_at = created_at - interval '45 minutes'
      where sequence = (select min(sequence) from decision where outcome = 'settling')`;
    await pipeline.pass(0);
    expect(await contents()).toHaveLength(1);
    expect((await reasons()).filter((each) => each.endsWith('other_event'))).toHaveLength(1);
  });

  test('ends what it waits for when the page goes to the trash, or the rule is switched off', async () => {
    const { id } = await about('content_updated');
    await write('Six');
    await pipeline.idle();
    const page = (await move('trash', GOLEM)).payload.entity.id;
    await pipeline.idle();
    await move('restore', page);
    await pipeline.idle();
    await write('Seven');
    await pipeline.idle();
    await pipeline.story.product.call('mira', 'PUT', `/api/app/rules/${id}`, { enabled: false });
    await pipeline.pass(6);
    expect(await contents()).toEqual([]);
    const [first, , , last] = await reasons();
    expect([first, last]).toEqual(['skipped: page_trashed', 'skipped: rule_off']);
  });
});

describe('rules for the trash', () => {
  test('say who moved a page there, and who restored it', async () => {
    await about('page_deleted');
    await about('page_restored', { channelId: pipeline.story.channel('bugs') });
    const { payload, id } = await move('trash', GOLEM, 'jonas');
    await pipeline.idle();
    await pipeline.redeliver(id);
    await move('restore', payload.entity.id);
    await pipeline.idle();
    const [card] = await pipeline.cards();
    expect(await contents()).toEqual([`Jonas Brandt moved ${GOLEM} to the trash`]);
    expect(card.components[0].components.map(({ label }: { label: string }) => label)).toEqual([
      'Open in Notion',
    ]);
    expect((await pipeline.cards('bugs')).map(({ content }) => content)).toEqual([
      `Mira Castellan restored ${GOLEM}`,
    ]);
  });

  test('say nothing of a page that is again where it was, in whatever order its events come', async () => {
    await about('page_deleted');
    await about('page_restored');
    const pageId = await pipeline.pageId(GOLEM);
    const then = Date.now() - MINUTE;
    await pipeline.send({ pageId, type: 'page.undeleted', at: new Date(then + 1000) });
    await pipeline.idle();
    expect(await contents()).toHaveLength(1);
    await pipeline.send({ pageId, type: 'page.deleted', at: new Date(then) });
    await pipeline.idle();
    expect(await contents()).toHaveLength(1);
    expect((await reasons()).toSorted()).toEqual([
      'sent',
      'skipped: other_event',
      'skipped: other_event',
      'skipped: undone',
    ]);
  });

  test('are no reason to forget the old value: a page that is restored and edited tells its change once', async () => {
    await pipeline.rule();
    await pipeline.edit(GOLEM, { Status: 'Backlog' });
    await pipeline.idle();
    const before = (await pipeline.cards()).length;
    const pageId = (await move('trash', GOLEM)).payload.entity.id;
    await pipeline.idle();
    const edited = await pipeline.allTold().then(async () => {
      pipeline.fault({ target: 'notion.webhook', kind: 'drop', times: 0 });
      await control('POST', '/rows/restore', { page: pageId });
      await control('PATCH', '/rows', { page: pageId, properties: { Status: 'Done' } });
      await pipeline.allTold();
      pipeline.story.product.sandbox.context.faults.clear();
      return new Date();
    });
    await pipeline.send({ pageId, type: 'page.undeleted', at: edited });
    await pipeline.idle();
    await pipeline.send({ pageId, updated: [pipeline.story.property('Status')], at: edited });
    await pipeline.idle();
    const told = (await pipeline.cards()).slice(before).map(({ embeds }) => embeds[0].description);
    expect(told).toEqual([expect.stringMatching(/^Status: Backlog → Done\n/)]);
  });

  test('are no reason to keep the title of a page that no pass looks for in the trash', async () => {
    const everything = { databaseId: null, source: { kind: 'workspace' } };
    await about('page_deleted', everything);
    await about('page_restored', everything);
    const kept = async (where: 'trash' | 'restore', page: string) => {
      const pageId = (await move(where, page)).payload.entity.id;
      await pipeline.idle();
      return db().pageSnapshot.count({ where: { pageId } });
    };
    const pageId = await pipeline.pageId(GOLEM);
    await kept('trash', GOLEM);
    expect(await kept('restore', pageId)).toBe(1);
    expect(await kept('trash', GOLEM)).toBe(0);
    await kept('restore', pageId);
  });

  test('know the title of a page that is gone for good, if a rule had looked at it', async () => {
    await about('page_deleted');
    const pageId = await pipeline.pageId(GOLEM);
    pipeline.fault({ target: 'notion', kind: 'fail', match: 'GET /v1/pages/.*', times: 2, status: 404 });
    await pipeline.send({ pageId, type: 'page.deleted' });
    await pipeline.idle();
    const [card] = await pipeline.cards();
    expect(card.embeds[0]).toMatchObject({ title: GOLEM });
    expect(card.embeds[0].url).toBeUndefined();
    expect(await db().pageSnapshot.count({ where: { pageId } })).toBe(0);
    await pipeline.send({ pageId, type: 'page.deleted' });
    await pipeline.idle();
    expect(await reasons()).toEqual(['sent', 'skipped: page_unknown']);
  });
});
