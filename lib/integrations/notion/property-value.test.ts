import { describe, expect, test } from 'vitest';
import { hash } from '@/lib/crypto';
import { isSameValue } from './bounded-value';
import { isUncomputed, toPropertyValue } from './property-value';

const read = (type: string, value: unknown) => toPropertyValue({ id: 'x', type, [type]: value });
const words = (...texts: string[]) => texts.map((text) => ({ type: 'text', plain_text: text }));
const red = { id: 'o1', name: 'High', color: 'red' };
const blue = { id: 'o2', name: 'Low', color: 'blue' };
const mira = { object: 'user', id: 'u1', name: 'Mira' };
const someone = { object: 'user', id: 'u2' };
const computed = { type: 'formula', formula: { type: 'number', number: 5 } };
const unsupported = { type: 'formula', formula: { type: 'unsupported', unsupported: {} } };
const partly = { type: 'array', array: [computed, { type: 'rollup', rollup: { type: 'incomplete' } }] };

describe('the value of a property in words', () => {
  test.each([
    ['title', words('Boss ', 'fight'), 'Boss fight'],
    ['rich_text', words('a', '', 'b'), 'ab'],
    ['number', 0, '0'],
    ['number', -1.5, '-1.5'],
    ['select', red, 'High'],
    ['status', red, 'High'],
    ['multi_select', [red, blue], 'High, Low'],
    ['date', { start: '2026-11-20', end: null }, 'Nov 20, 2026'],
    ['date', { start: '2026-11-20', end: '2026-11-22' }, 'Nov 20, 2026 → Nov 22, 2026'],
    ['people', [mira, someone], 'Mira'],
    ['people', [{ object: 'group', id: 'g1', name: 'Artists' }], 'Artists'],
    ['checkbox', true, 'Yes'],
    ['checkbox', false, 'No'],
    ['url', 'https://a.example', 'https://a.example'],
    ['email', 'a@b.example', 'a@b.example'],
    ['phone_number', '+49 30', '+49 30'],
    ['files', [{ name: 'a.png', type: 'file', file: { url: 'x' } }, { name: 'b.png' }], 'a.png, b.png'],
    ['relation', [{ id: 'p1' }], '1 linked page'],
    ['relation', [{ id: 'p1' }, { id: 'p2' }], '2 linked pages'],
    ['created_time', '2026-11-20T10:00:00.000Z', '2026-11-20T10:00:00.000Z'],
    ['last_edited_time', '2026-11-20T10:00:00.000Z', '2026-11-20T10:00:00.000Z'],
    ['created_by', mira, 'Mira'],
    ['last_edited_by', someone, ''],
    ['unique_id', { prefix: 'EMB', number: 12 }, 'EMB-12'],
    ['unique_id', { prefix: null, number: 12 }, '12'],
    ['verification', { state: 'verified', verified_by: null, date: null }, 'verified'],
    ['place', { lat: 1, lon: 2, name: 'Office', address: 'Long Lane 1' }, 'Office'],
    ['place', { lat: 1, lon: 2, name: null, address: 'Long Lane 1' }, 'Long Lane 1'],
    ['place', { lat: 1.5, lon: -2 }, '1.5, -2'],
    ['rollup', { type: 'array', array: [{ type: 'place', place: { lat: 1, lon: 2 } }] }, '1, 2'],
    ['formula', { type: 'string', string: 'ten' }, 'ten'],
    ['formula', { type: 'number', number: 24 }, '24'],
    ['formula', { type: 'boolean', boolean: true }, 'Yes'],
    ['formula', { type: 'date', date: { start: '2026-11-20' } }, 'Nov 20, 2026'],
    ['rollup', { type: 'number', number: 3, function: 'sum' }, '3'],
    ['rollup', { type: 'date', date: { start: '2026-11-20' }, function: 'latest_date' }, 'Nov 20, 2026'],
    [
      'rollup',
      {
        type: 'array',
        array: [
          { type: 'title', title: words('A') },
          { type: 'number', number: 2 },
          { type: 'select', select: null },
        ],
      },
      'A, 2',
    ],
  ])('%s %j reads "%s"', (type, value, text) => {
    expect(read(type, value)).toMatchObject({ type, text });
  });

  test.each([
    ['title', []],
    ['rich_text', []],
    ['number', null],
    ['select', null],
    ['status', null],
    ['multi_select', []],
    ['date', null],
    ['people', []],
    ['url', null],
    ['email', null],
    ['phone_number', null],
    ['files', []],
    ['relation', []],
    ['unique_id', { prefix: 'EMB', number: null }],
    ['verification', null],
    ['place', null],
    ['button', {}],
    ['formula', { type: 'string', string: null }],
    ['formula', { type: 'unsupported', unsupported: {} }],
    ['rollup', { type: 'incomplete', incomplete: {} }],
    ['rollup', { type: 'array', array: [] }],
    ['rollup', { type: 'array', array: [{ type: 'number', number: 2 }, unsupported] }],
    ['location', { somewhere: true }],
    ['status', 'not an object'],
    ['people', [{ name: 'no id' }]],
  ])('%s %j reads as empty', (type, value) => {
    expect(read(type, value)).toMatchObject({ type, text: '', key: '' });
  });

  test.each([null, 'text', 7, {}, { type: 5 }])('%j is no property, and reads as empty', (raw) => {
    expect(toPropertyValue(raw)).toEqual({ type: 'unknown', key: '', text: '' });
  });
});

test.each([
  ['a formula', false, 'formula', unsupported.formula],
  ['an item of a list', false, 'rollup', { type: 'array', array: [computed, unsupported] }],
  [
    'an item of a list in a list',
    false,
    'rollup',
    { type: 'array', array: [{ type: 'rollup', rollup: partly }] },
  ],
  ['nothing', true, 'rollup', { type: 'array', array: [computed, computed] }],
  ['nothing of an empty list', true, 'rollup', { type: 'array', array: [] }],
])('Notion could not compute %s', (_, isComputed, type, value) => {
  expect(isUncomputed(read(type, value))).toBe(!isComputed);
});

describe('two values are the same', () => {
  test.each([
    ['an option that was renamed and recoloured', 'status', red, { ...red, name: 'Top', color: 'pink' }],
    ['people in another order', 'people', [mira, someone], [someone, mira]],
    ['a person who was renamed', 'people', [mira], [{ ...mira, name: 'Mira C.' }]],
    ['tags in another order', 'multi_select', [red, blue], [blue, red]],
    ['relations in another order', 'relation', [{ id: 'a' }, { id: 'b' }], [{ id: 'b' }, { id: 'a' }]],
    ['a text split differently', 'rich_text', words('ab'), words('a', 'b')],
    [
      'a file whose address expired',
      'files',
      [{ name: 'a', file: { url: '1' } }],
      [{ name: 'a', file: { url: '2' } }],
    ],
  ])('%s', (_, type, before, after) => {
    expect(read(type, after).key).toBe(read(type, before).key);
  });
});

describe('two values differ', () => {
  test.each([
    ['an option of the same name', 'status', red, { ...red, id: 'o9' }],
    ['an option that was taken away', 'status', red, null],
    ['another person', 'people', [mira], [someone]],
    ['one more person', 'people', [mira], [mira, someone]],
    [
      'a date that gained an end',
      'date',
      { start: '2026-11-20' },
      { start: '2026-11-20', end: '2026-11-21' },
    ],
    ['a date that gained a time', 'date', { start: '2026-11-20' }, { start: '2026-11-20T09:00:00Z' }],
    ['zero and nothing', 'number', 0, null],
    ['no and yes', 'checkbox', false, true],
    ['another page with the same number', 'relation', [{ id: 'a' }], [{ id: 'b' }]],
  ])('%s', (_, type, before, after) => {
    expect(read(type, after).key).not.toBe(read(type, before).key);
  });
});

test('a status carries its option and colour, so that filters and cards can use them', () => {
  expect(read('status', red)).toMatchObject({ optionId: 'o1', color: 'red' });
  expect(read('status', null)).not.toHaveProperty('optionId');
});

test.each([null, 5, undefined])('an option of the colour %j is an option', (color) => {
  expect(read('status', { ...red, color })).toMatchObject({ key: 'o1', text: 'High', optionId: 'o1' });
  expect(read('multi_select', [{ ...red, color }])).toMatchObject({ key: 'o1', text: 'High' });
});

test('a time stays in ISO 8601, for whoever shows it to write it in the zone of the reader', () => {
  const start = '2026-11-20T09:00:00.000+01:00';
  expect(read('date', { start, end: null }).text).toBe(start);
  expect(read('formula', { type: 'date', date: { start } }).text).toBe(start);
});

test('a time of a named zone is written with its offset, which a value stored without it does not lack', () => {
  const start = '2026-07-20T09:00:00';
  const zoned = read('date', { start, end: '2026-12-20T11:30:00.000', time_zone: 'America/New_York' });
  expect(zoned).toMatchObject({
    key: '2026-07-20T09:00:00-04:00/2026-12-20T11:30:00.000-05:00',
    text: '2026-07-20T09:00:00-04:00 → 2026-12-20T11:30:00.000-05:00',
  });
  const elsewhere = { start, end: '2026-12-20T11:30:00.000', time_zone: 'Europe/Berlin' };
  expect(isSameValue(zoned, read('date', elsewhere))).toBe(false);
  const { textKey: _, ...stored } = read('date', { ...elsewhere, time_zone: null });
  expect(isSameValue(stored, zoned)).toBe(true);
  for (const timeZone of ['Mars/Olympus', null]) {
    expect(read('date', { start, time_zone: timeZone })).toMatchObject({ text: start, key: `${start}/` });
  }
  const day = { start: '2026-07-20', end: null, time_zone: 'America/New_York' };
  expect(read('date', day)).toMatchObject({ key: '2026-07-20/', text: 'Jul 20, 2026' });
});

test('people carry their ids, unnamed ones too', () => {
  expect(read('people', [mira, someone]).userIds).toEqual(['u1', 'u2']);
  expect(read('last_edited_by', someone).userIds).toEqual(['u2']);
});

describe('a place', () => {
  const office = { lat: 1, lon: 2, name: 'Office' };
  const at = (lat: number, lon: number) => read('place', { lat, lon });

  test.each([
    ['that moved', at(1, 2), at(1, 3)],
    ['that moved and kept its name', read('place', office), read('place', { ...office, lon: 3 })],
    ['that was taken away', at(1, 2), read('place', null)],
    ['of another address', read('place', office), read('place', { ...office, address: 'Long Lane 1' })],
  ])('%s has changed', (_, before, after) => {
    expect(isSameValue(before, after)).toBe(false);
    expect(isSameValue(after, before)).toBe(false);
  });

  test.each([
    ['its name', read('place', office), 'Office'],
    ['a long name', read('place', { ...office, name: 'a'.repeat(400) }), hash('a'.repeat(400))],
    ['nothing, because it has no name', at(1, 2), ''],
    ['nothing, because there is none', read('place', null), ''],
  ])('is compared by its name with a value whose key was %s', (_, now, key) => {
    expect(isSameValue({ key }, now)).toBe(true);
    expect(isSameValue(now, { key })).toBe(true);
    expect(isSameValue({ key: 'Home' }, now)).toBe(false);
  });

  test('in a rollup has the key that older versions gave it', () => {
    const rolled = (...places: object[]) =>
      read('rollup', { type: 'array', array: places.map((place) => ({ type: 'place', place })) });
    expect(rolled(office, { lat: 1, lon: 2 })).toMatchObject({ key: 'Office', text: 'Office, 1, 2' });
  });
});

describe('a rolled-up list', () => {
  const rolled = (...items: object[]) => read('rollup', { type: 'array', array: items });
  const linked = (...ids: string[]) => ({ type: 'relation', relation: ids.map((id) => ({ id })) });
  const named = (...users: object[]) => ({ type: 'people', people: users });
  const chosen = (option: object) => ({ type: 'select', select: option });

  test.each([
    ['another page', rolled(linked('a')), rolled(linked('b'))],
    ['another person without a name', rolled(named(someone)), rolled(named({ object: 'user', id: 'u3' }))],
    ['a person without a name, and nobody', rolled(named(someone)), rolled(named())],
    ['another option of the same name', rolled(chosen(red)), rolled(chosen({ ...red, id: 'o9' }))],
  ])('changes with %s', (_, before, after) => {
    expect(isSameValue(before, after)).toBe(false);
    expect(isSameValue(after, before)).toBe(false);
  });

  test('does not change when an option in it is renamed', () => {
    expect(isSameValue(rolled(chosen(red)), rolled(chosen({ ...red, name: 'Top' })))).toBe(true);
  });

  test('is not empty with somebody without a name in it', () => {
    expect(rolled(named(someone))).toMatchObject({ text: '', key: 'u2' });
  });

  test('of people has their ids and names, those without a name too', () => {
    expect(rolled(named(someone), named(), named(mira))).toMatchObject({
      userIds: ['u2', 'u1'],
      userNames: ['', 'Mira'],
    });
    expect(rolled(...Array(150).fill(named(someone)))).toMatchObject({
      userIds: { length: 100 },
      userCount: 150,
    });
    expect(rolled(named(mira), chosen(red))).not.toHaveProperty('userIds');
    expect(rolled()).not.toHaveProperty('userIds');
  });

  test('of people is searched by their names', () => {
    const long = { ...mira, name: 'M'.repeat(1500) };
    expect(rolled(named(long))).toMatchObject({ longText: long.name });
  });

  test.each([
    ['one linked page', rolled(linked('a')), '1 linked page'],
    ['a person without a name', rolled(named(someone)), ''],
    ['a long text', rolled({ type: 'title', title: words('a'.repeat(2000)) }), hash('a'.repeat(2000))],
  ])('is compared by its text with a value that was stored when its text was its key: %s', (_, now, key) => {
    expect(isSameValue({ key }, now)).toBe(true);
    expect(isSameValue(now, { key })).toBe(true);
    expect(isSameValue({ key: '2 linked pages' }, now)).toBe(false);
  });
});

describe('what is kept of a long value', () => {
  const long = (end: string) => read('rich_text', words('a'.repeat(199_999), end));
  const people = (count: number, last = 'x') =>
    read(
      'people',
      [...Array(count).keys()]
        .map((nr) => ({ id: `u${nr}`, name: 'Mira' }))
        .concat({ id: last, name: 'Vera' }),
    );

  test('is its beginning, to show and to search, and a change at its very end still counts', () => {
    expect(long('b').text).toHaveLength(1200);
    expect(long('b').longText).toHaveLength(50_000);
    expect(read('rich_text', words('a'.repeat(1200)))).not.toHaveProperty('longText');
    expect(isSameValue(long('b'), long('b'))).toBe(true);
    expect(isSameValue(long('b'), long('c'))).toBe(false);
  });

  test('does not end inside a surrogate pair', () => {
    expect(read('rich_text', words('a', '👍'.repeat(1000))).text).toMatch(/👍$/u);
  });

  test('is a hundred people of a list and their number, and a change of the last still counts', () => {
    expect(people(400)).toMatchObject({
      userIds: { length: 100 },
      userNames: { length: 100 },
      userCount: 401,
    });
    expect(isSameValue(people(400), people(400, 'y'))).toBe(false);
    expect(people(99)).not.toHaveProperty('userCount');
  });

  test.each([
    [
      'multi_select',
      (last: string) =>
        [...Array(400).keys()]
          .map((nr) => ({ id: `o${nr}`, name: `Option ${nr}` }))
          .concat({ id: last, name: 'Last' }),
    ],
    [
      'relation',
      (last: string) => [...Array(400).keys()].map((nr) => ({ id: `p${nr}` })).concat({ id: last }),
    ],
  ])('is little of a %s with hundreds of entries, all of them compared in any order', (type, list) => {
    expect(JSON.stringify(read(type, list('x'))).length).toBeLessThan(2500);
    expect(read(type, list('x'))).toMatchObject({ ids: { length: 100 } });
    expect(isSameValue(read(type, list('x')), read(type, list('x').reverse()))).toBe(true);
    expect(isSameValue(read(type, list('x')), read(type, list('y')))).toBe(false);
  });

  test('equals the whole value that was kept before', () => {
    const whole = { key: `${'a'.repeat(199_999)}b` };
    expect(isSameValue(whole, long('b'))).toBe(true);
    expect(isSameValue(long('c'), whole)).toBe(false);
  });
});
