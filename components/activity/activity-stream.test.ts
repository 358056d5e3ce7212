import { describe, expect, test } from 'vitest';
import type { ActivityItem, ActivityPage } from '@/lib/features/deliveries/schema';
import { continued, newsIn, refreshed, withItem, withNews } from './activity-stream';

const item = (id: string, outcome: ActivityItem['outcome'] = 'posted'): ActivityItem => ({
  id,
  at: '2026-11-22T10:00:00.000Z',
  eventType: 'page_updated',
  pageId: 'page',
  title: id,
  url: null,
  ruleId: 'rule',
  ruleName: 'Sprint board → #tasks',
  channelId: '1',
  channelName: 'tasks',
  place: '#tasks',
  outcome,
  reason: null,
  changes: [],
});
const page = (ids: string, next: string | null = 'next'): ActivityPage => ({
  items: [...ids].map((id) => item(id)),
  next,
});
const ids = ({ items }: ActivityPage) => items.map(({ id }) => id).join('');
const NONE = new Set<string>();

describe('new entries', () => {
  test('are counted, and what is shown stays as it is', () => {
    const shown = page('cdefgh', 'below h');
    const newest = page('abcdef');
    expect(newsIn(shown, newest)).toEqual({ count: 2, isMore: false });
    expect(refreshed(shown, newest, NONE)).toEqual(shown);
  });

  test('come on top when they are asked for, each once', () => {
    const shown = page('cdefgh', 'below h');
    const all = withNews(shown, page('abcdef'));
    expect(ids(all)).toBe('abcdefgh');
    expect(all.next).toBe('below h');
  });

  test('that fill the whole page take the place of what is shown, because there may be more between', () => {
    const shown = page('cdef');
    const newest = page('wxyz', 'below z');
    expect(newsIn(shown, newest)).toEqual({ count: 4, isMore: true });
    expect(withNews(shown, newest)).toEqual(newest);
  });

  test('are none when all is known', () => {
    expect(newsIn(page('abc'), page('abc'))).toEqual({ count: 0, isMore: false });
    expect(newsIn(page(''), page('', null))).toEqual({ count: 0, isMore: false });
  });
});

describe('what is shown', () => {
  test('is brought up to date in its place', () => {
    const newest = { ...page('abc'), items: [item('a'), item('b', 'failed'), item('c')] };
    expect(refreshed(page('abcd'), newest, NONE).items.map(({ outcome }) => outcome)).toEqual([
      'posted',
      'failed',
      'posted',
      'posted',
    ]);
  });

  test('leaves when it no longer passes the filter, unless it is being read', () => {
    expect(ids(refreshed(page('abcdef'), page('acd'), NONE))).toBe('acdef');
    expect(ids(refreshed(page('abcdef'), page('acd'), new Set(['b'])))).toBe('abcdef');
    expect(ids(refreshed(page('abc'), page('', null), NONE))).toBe('');
  });

  test('stays when an entry from further below has come to the top', () => {
    const shown = page('abcdefgh');
    const newest = page('gabcde');
    expect(ids(refreshed(shown, newest, NONE))).toBe('abcdefgh');
    expect(newsIn(shown, newest).count).toBe(0);
    expect(ids(withNews(shown, newest))).toBe('gabcdefh');
  });

  test('goes on below without doubles', () => {
    expect(continued(page('abc', 'below c'), page('cde', null), 'below c')).toEqual(page('abcde', null));
  });

  test('leaves out a page that was asked for below entries that have been replaced meanwhile', () => {
    const replaced = withNews(page('abc', 'below c'), page('wxyz'));
    expect(continued(replaced, page('def'), 'below c')).toEqual(page('wxyz'));
  });

  test('takes over what an opened entry says of itself', () => {
    const shown = withItem(page('ab'), { id: 'b', outcome: 'waiting' });
    expect(shown.items.map(({ outcome }) => outcome)).toEqual(['posted', 'waiting']);
  });
});
