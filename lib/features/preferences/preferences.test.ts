import { afterAll, beforeAll, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';

const PATH = '/api/app/preferences';
const BERLIN = { timeZone: 'Europe/Berlin', quietHours: null, language: 'en' };
const NIGHT = { from: '22:00', to: '07:00', days: [5, 6] };

let pipeline: Pipeline;
beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
});
afterAll(() => pipeline.story.product.stop());

const call = (method: string, body?: unknown) => pipeline.story.product.call('mira', method, PATH, body);

test('an account is assumed to be in UTC until a browser tells where it is', async () => {
  const assumed = { timeZone: 'UTC', quietHours: null, language: 'en', isTimeZoneAssumed: true };
  expect((await call('GET')).body).toEqual(assumed);
  // The answer of GET is valid input for PUT.
  expect((await call('PUT', assumed)).body).toEqual({ timeZone: 'UTC', quietHours: null, language: 'en' });
  expect((await call('PUT', BERLIN)).body).toEqual(BERLIN);
  const quiet = { ...BERLIN, quietHours: { ...NIGHT, days: [6, 5] } };
  expect(await call('PUT', quiet)).toMatchObject({ status: 200, body: { quietHours: NIGHT } });
  expect((await call('GET')).body).toEqual({ ...BERLIN, quietHours: NIGHT });
  // Other accounts keep the defaults.
  const other = await pipeline.story.product.call('jonas', 'GET', PATH);
  expect(other.body).toEqual(assumed);
});

test.each([
  [{ timeZone: 'Mars/Olympus' }, 'timeZone must be the name of a time zone such as "Europe/Berlin"'],
  [{ timeZone: '+01:00' }, 'timeZone must be the name of a time zone such as "Europe/Berlin"'],
  // Known to Intl, but of several meanings.
  [{ timeZone: 'IST' }, 'timeZone must be the name of a time zone such as "Europe/Berlin"'],
  [{ timeZone: null }, 'timeZone must be the name of a time zone such as "Europe/Berlin"'],
  [{ language: 'de' }, 'language must be "en", the only one so far'],
  [{ quietHours: [] }, 'quietHours must be null or have from, to and days'],
  [{ quietHours: { ...NIGHT, from: '24:00' } }, 'quietHours.from must be a time of day such as "09:00"'],
  [
    { quietHours: { ...NIGHT, to: '22:00' } },
    'quietHours.to must differ from quietHours.from, or nothing would ever be posted',
  ],
  [
    { quietHours: { ...NIGHT, days: [] } },
    'quietHours.days must name a day; without quiet hours, quietHours is null',
  ],
  [
    { quietHours: { ...NIGHT, days: [0] } },
    'quietHours.days must be a number from 1 for Monday to 7 for Sunday',
  ],
  [{ quietHours: { ...NIGHT, days: [1, 1] } }, 'quietHours.days may name each day once'],
  [{ theme: 'dark' }, 'Unrecognized key: "theme"'],
])('%j is refused', async (changes, error) => {
  expect(await call('PUT', { ...BERLIN, ...changes })).toMatchObject({ status: 400, body: { error } });
});

test('a rule has a digest and its terms, which are refused where they do not fit', async () => {
  const rule = (changes: Record<string, unknown>) =>
    pipeline.rule(changes).catch(({ message }: Error) => JSON.parse(message));
  expect(await rule({})).toMatchObject({ timing: { kind: 'now' }, urgent: false });
  const timing = { kind: 'digest', every: 'week', at: '17:30', weekday: 5 };
  expect(await rule({ timing })).toMatchObject({
    timing,
    watching: 'Status changes, as a digest each Friday at 17:30',
  });
  expect(await rule({ urgent: true })).toMatchObject({ watching: 'Status changes, even in quiet hours' });
  expect(await rule({ timing, urgent: true })).toMatchObject({
    error: 'urgent does not go with a digest, which waits for its time',
  });
  expect(await rule({ timing: { kind: 'digest', every: 'hour', at: '09:00' } })).toMatchObject({
    error: 'timing.at does not go with a digest each hour, which comes on the hour',
  });
  expect(await rule({ timing: { kind: 'digest', every: 'hour', minute: 5 } })).toMatchObject({
    error: 'timing: Unrecognized key: "minute"',
  });
});

test('trying a rule says in how many digests its cards would have come, and its preview is one', async () => {
  const timing = { kind: 'digest', every: 'hour' };
  const { id: _, ...draft } = await pipeline.rule({ timing });
  await pipeline.story.product.work();
  await pipeline.edit('Boss fight: ember golem', { Status: 'Done' });
  await pipeline.idle();
  const post = (path: string, body: object) =>
    pipeline.story.product.call('mira', 'POST', `/api/app/rules/${path}`, body);
  const tried = await post('try', { rule: draft, days: 1 });
  expect(tried.body).toMatchObject({ cards: 1, digests: 1 });
  const now = { ...draft, timing: { kind: 'now' } };
  expect((await post('try', { rule: now, days: 1 })).body).toMatchObject({ cards: 1, digests: null });
  const preview = await post('preview', draft);
  expect(preview.body.content).toMatch(/^\d+ changed pages in Sprint board$/);
  expect(preview.body.embed.description.match(/^- /gm).length).toBeLessThanOrEqual(10);
  expect(preview.body.embed.footer.text).toContain('digest each hour');
});

test('an account whose stored time zone is not known here is in UTC, and its rules work', async () => {
  const { story } = pipeline;
  const inThreeDays = ((new Date().getUTCDay() + 2) % 7) + 1;
  await call('PUT', { ...BERLIN, quietHours: { ...NIGHT, days: [inThreeDays] } });
  await db().account.updateMany({ where: { timeZone: BERLIN.timeZone }, data: { timeZone: 'IST' } });
  expect((await call('GET')).body).toMatchObject({ timeZone: 'UTC', isTimeZoneAssumed: true });
  await pipeline.clear();
  await pipeline.rule();
  await story.product.work();
  await pipeline.edit('Boss fight: ember golem', { Status: 'In review' });
  await pipeline.idle();
  expect(await pipeline.cards()).toHaveLength(1);
  const schedule = { days: 3, at: '09:00' };
  expect(await pipeline.rule({ eventType: 'page_untouched', schedule })).toMatchObject({ schedule });
});
