import { expect, test } from 'vitest';
import type { Property } from '@/lib/features/workspaces/schema';
import { findGap, firstDate, initialSchedule, withoutProperty } from './schedule-draft';
import { withInterval } from './with-interval';

test.each([
  ['date_near', { propertyId: '', days: 1, at: '09:00' }],
  ['page_untouched', { days: 7, at: '09:00' }],
  ['summary', { every: 'workday', at: '09:00', skipEmpty: true }],
  ['page_updated', null],
] as const)('a rule for %s begins with its schedule', (eventType, schedule) => {
  expect(initialSchedule(eventType)).toEqual(schedule);
});

test('the first date is offered, and a database without one leaves it to be chosen', () => {
  const date: Property = { id: 'd', name: 'Due', type: 'date', options: [], isStatus: false };
  const created: Property = { ...date, id: 'c', type: 'created_time' };
  expect(firstDate([created, date, { ...date, id: 'e' }])).toBe('d');
  expect(firstDate([created])).toBeUndefined();
});

test.each([
  [{ propertyId: '', days: 1, at: '09:00' }, 'rule-schedule-date'],
  [{ propertyId: 'd', days: Number.NaN, at: '09:00' }, 'rule-schedule-days'],
  [{ propertyId: 'd', days: -31, at: '09:00' }, 'rule-schedule-days'],
  [{ propertyId: 'd', days: 0, at: '09:00' }, undefined],
  [{ propertyId: 'd', days: -30, at: '09:00' }, undefined],
  [{ days: 366, at: '09:00' }, 'rule-schedule-days'],
  [{ days: 1.5, at: '09:00' }, 'rule-schedule-days'],
  [{ days: 365, at: '09:00' }, undefined],
  [{ every: 'hour', skipEmpty: true }, undefined],
  [null, undefined],
] as const)('what %j lacks is known by its field', (schedule, id) => {
  expect(findGap(schedule) ?? undefined).toBe(id);
});

test('another database takes away what the former one had', () => {
  const sort = { propertyId: 'd', direction: 'descending' as const };
  expect(withoutProperty({ propertyId: 'd', days: 2, at: '08:00' })).toEqual({
    propertyId: '',
    days: 2,
    at: '08:00',
  });
  expect(withoutProperty({ every: 'hour', sort, skipEmpty: true })).toEqual({
    every: 'hour',
    skipEmpty: true,
  });
  expect(withoutProperty({ days: 2, at: '08:00' })).toEqual({ days: 2, at: '08:00' });
});

test('a summary has a time but each hour, and a day only each week', () => {
  const daily = { every: 'day' as const, at: '08:00', skipEmpty: false };
  expect(withInterval(daily, 'hour')).toEqual({ every: 'hour', skipEmpty: false });
  expect(withInterval(daily, 'week')).toEqual({ every: 'week', at: '08:00', weekday: 1, skipEmpty: false });
  expect(withInterval({ every: 'week', at: '08:00', weekday: 5, skipEmpty: true }, 'day')).toEqual({
    every: 'day',
    at: '08:00',
    skipEmpty: true,
  });
});
