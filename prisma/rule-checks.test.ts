import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { withOwnDatabase } from '@/lib/testing/own-database';
import { addPastTenant } from '@/lib/testing/past-tenant';

const pool = withOwnDatabase();
const query = (text: string, values: unknown[]) => pool().query(text, values);
const [account, workspace, server, rule] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];

const PERSON = { kind: 'person', discordUserId: '1' };
const PEOPLE = { kind: 'people', propertyId: 'p' };
const DAILY = { every: 'day', at: '09:00', skipEmpty: false };

beforeAll(() => addPastTenant(query, { account, workspace, server, rules: [rule], channelId: '1' }));

const place = (destination: unknown, channelId: string) =>
  query('update rule set destination = $1, channel_id = $2', [JSON.stringify(destination), channelId]);

test.each([
  [PERSON, '1'],
  [PEOPLE, '1'],
  [{ kind: 'channel' }, ''],
  [{ kind: 'forum' }, ''],
  [{}, ''],
  [{}, '1'],
  [null, '1'],
])('a rule to %j has not "%s" for its channel', async (destination, channelId) => {
  await expect(place(destination, channelId)).rejects.toThrow('rule_destination_check');
});

test.each([
  [PERSON, ''],
  [PEOPLE, ''],
  [{ kind: 'channel' }, '1'],
  [{ kind: 'forum' }, '1'],
])('a rule to %j may have "%s" for its channel', async (destination, channelId) => {
  expect((await place(destination, channelId)).rowCount).toBe(1);
});

const fire = (eventType: string, schedule: string | null) =>
  query('update rule set event_type = $1::event_type, schedule = $2', [eventType, schedule]);

test.each([
  ['page_created', JSON.stringify(DAILY)],
  ['page_created', 'null'],
  ['date_near', null],
  ['page_untouched', null],
  ['summary', null],
  ['summary', 'null'],
  ['summary', '"daily"'],
])('a rule for %s has not %s for its schedule', async (eventType, schedule) => {
  await expect(fire(eventType, schedule)).rejects.toThrow('rule_schedule_check');
});

test.each([
  ['summary', JSON.stringify(DAILY)],
  ['date_near', JSON.stringify({ propertyId: 'd', days: 1, at: '09:00' })],
  ['page_untouched', JSON.stringify({ days: 7, at: '09:00' })],
  ['page_updated', null],
])('a rule for %s may have %s for its schedule', async (eventType, schedule) => {
  expect((await fire(eventType, schedule)).rowCount).toBe(1);
});

const keepPost = (state: string | null) =>
  query(
    `insert into living_card (page_id, rule_id, account_id, channel_id, message_id, at, post_state)
     values (gen_random_uuid(), $1, $2, '1', gen_random_uuid(), now(), $3)`,
    [rule, account, state],
  );

test.each(['', 'locked 1a', '1a'])('the post of a living card is never "%s"', async (state) => {
  await expect(keepPost(state)).rejects.toThrow('living_card_post_state_check');
});

test.each(['open 1a', 'closed 1a', null])('the post of a living card may be "%s"', async (state) => {
  expect((await keepPost(state)).rowCount).toBe(1);
});
