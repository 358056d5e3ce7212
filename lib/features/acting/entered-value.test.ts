import { describe, expect, test } from 'vitest';
import { PERCENT, type SchemaProperty } from '@/lib/integrations/notion/notion-catalog';
import { toNotionValue } from './entered-value';

const property = (type: string, ...options: string[]): SchemaProperty => ({
  id: 'p',
  name: 'It',
  type,
  options: options.map((name) => ({ id: `id of ${name}`, name, color: 'gray' })),
  groups: [],
});
const content = (value: unknown) =>
  (value as { text: { content: string } }[]).map(({ text }) => text.content);

describe('an entry becomes a value of Notion', () => {
  test.each([
    ['number', [' 1 000.5 '], { number: 1000.5 }],
    ['number', ['-3'], { number: -3 }],
    ['number', [''], { number: null }],
    ['date', ['2026-12-24'], { date: { start: '2026-12-24' } }],
    ['date', [], { date: null }],
    ['checkbox', ['true'], { checkbox: true }],
    ['checkbox', ['false'], { checkbox: false }],
    ['url', ['https://a.example'], { url: 'https://a.example' }],
    ['email', [''], { email: null }],
    ['phone_number', [' 1 '], { phone_number: '1' }],
    ['rich_text', [''], { rich_text: [] }],
  ])('%s %j', (type, entered, value) => {
    expect(toNotionValue(property(type), entered)).toEqual({ value });
  });

  test.each([
    ['select', ['id of High'], { select: { id: 'id of High' } }],
    ['select', ['high'], { select: { id: 'id of High' } }],
    ['select', [], { select: null }],
    ['status', ['Low'], { status: { id: 'id of Low' } }],
    [
      'multi_select',
      ['id of Low', 'id of High'],
      { multi_select: [{ id: 'id of Low' }, { id: 'id of High' }] },
    ],
    ['multi_select', ['low, HIGH,,low'], { multi_select: [{ id: 'id of Low' }, { id: 'id of High' }] }],
    ['multi_select', [], { multi_select: [] }],
  ])('%s %j', (type, entered, value) => {
    expect(toNotionValue(property(type, 'High', 'Low'), entered)).toEqual({ value });
  });

  test('an option that is stored with its accent as a character of its own', () => {
    const { value } = toNotionValue(property('select', 'Re\u0301vise\u0301'), ['r\u00e9vis\u00e9']) as {
      value: unknown;
    };
    expect(value).toEqual({ select: { id: 'id of Re\u0301vise\u0301' } });
  });

  test.each([
    ['0.5', 0.5],
    ['50 %', 0.5],
    ['33.3%', 0.333],
  ])('a percentage %s', (entered, number) => {
    const progress = { ...property('number'), unit: PERCENT };
    expect(toNotionValue(progress, [entered])).toEqual({ value: { number } });
  });

  test('a long text comes in parts that Notion accepts', () => {
    const long = '🎲'.repeat(1500);
    const { value } = toNotionValue(property('rich_text'), [long]) as { value: { rich_text: unknown } };
    const parts = content(value.rich_text);
    expect(parts.join('')).toBe(long);
    expect(parts.every(({ length }) => length <= 2000)).toBe(true);
  });
});

describe('an entry that does not fit is told', () => {
  test.each([
    ['number', ['1,5'], /^It: "1,5" is not a number/],
    ['number', ['50 %'], /is not a number/],
    ['number', ['Infinity'], /is not a number/],
    ['number', ['0x10'], /is not a number/],
    ['date', ['2027-02-29'], /is not a date like/],
    ['title', [' '], /needs a title/],
    ['select', ['Medium'], /^It has no option "Medium"/],
    ['status', [''], /^It has no option ""/],
    ['multi_select', ['High, Medium'], /^It has no option "Medium"/],
    ['select', ['פנס'], /^It has no option "\u2068פנס\u2069"\./],
  ])('%s %j', (type, entered, problem) => {
    expect(toNotionValue(property(type, 'High', 'Low'), entered)).toEqual({
      problem: expect.stringMatching(problem),
    });
  });
});
