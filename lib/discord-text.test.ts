import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escapeMarkdown, fitEscaped, fitPlain, fitText } from './discord-text';

const MARKS = [
  '*',
  '_',
  '~',
  '`',
  '|',
  '[',
  ']',
  '(',
  ')',
  '<',
  '>',
  '@',
  '#',
  '-',
  '+',
  '\\',
  '\n',
  ' ',
  '1',
  '.',
];
const SNIPPETS = [
  '@everyone',
  '@here',
  '<@1>',
  '<#2>',
  '<t:0:R>',
  '```',
  '[a](https://b.example)',
  '||',
  '🔥',
  '👩‍🚀',
  'שלום',
];
/** Texts full of characters that Discord could take for markup. */
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...MARKS, ...SNIPPETS), fc.string({ maxLength: 4, unit: 'grapheme' })), {
    maxLength: 60,
  })
  .map((parts) => parts.join(''));

/** How Discord shows a text without markup: without the backslashes before punctuation. */
const shown = (escaped: string) => escaped.replace(/\\([^\p{L}\p{N}\s])/gu, '$1').replaceAll('\u200b', '');

describe('an escaped text', () => {
  test.each([
    ['**bold** _it_ ~~gone~~', '\\*\\*bold\\*\\* \\_it\\_ \\~\\~gone\\~\\~'],
    ['`code` ||secret||', '\\`code\\` \\|\\|secret\\|\\|'],
    ['[here](https://evil.example)', '\\[here\\](https://evil.example)'],
    ['<@208917000000000101> <#1> <t:0>', '\\<@208917000000000101\\> \\<#1\\> \\<t:0\\>'],
    ['@everyone @here', '@\u200beveryone @\u200bhere'],
    ['# Title\n## Two\n-# small', '\\# Title\n\\## Two\n\\-# small'],
    ['- item\n  + item\n> quote', '\\- item\n  \\+ item\n\\> quote'],
    ['1. first\n20) last', '1\\. first\n20\\) last'],
    ['a-b #1 1.5 1+1', 'a-b #1 1.5 1+1'],
    ['C:\\new', 'C:\\\\new'],
  ])('of %j is %j', (text, escaped) => {
    expect(escapeMarkdown(text)).toBe(escaped);
  });

  test('may have a million empty lines', () => {
    // With effort for each pair of lines, this would take hours.
    const empty = '\u2028'.repeat(1_000_000);
    expect(escapeMarkdown(`a${empty} # b`) === `a${empty} \\# b`).toBe(true);
    expect(escapeMarkdown(`a${empty} 1. b`) === `a${empty} 1\\. b`).toBe(true);
  });

  test('shows what was written and holds no mark that is not escaped', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const escaped = escapeMarkdown(text);
        expect(shown(escaped)).toBe(text.replaceAll('\u200b', ''));
        expect(escaped.replace(/\\[^\p{L}\p{N}\s]/gu, '')).not.toMatch(/[*_~`|[\]<>]/);
        expect(escaped).not.toMatch(/@(everyone|here)/);
        expect(escaped).not.toMatch(/^\s*(#{1,3}|-#|-|\+|\d+[.)])\s/m);
      }),
    );
  });
});

describe('a shortened text', () => {
  test.each([
    ['short', 10, 'short'],
    ['exactly ten', 11, 'exactly ten'],
    ['one two three', 12, 'one two…'],
    ['one two three', 8, 'one two…'],
    ['  spaces around  ', 13, 'spaces around'],
    ['unbreakablelongword', 8, 'unbreak…'],
    ['🔥🔥🔥🔥', 6, '🔥🔥…'],
    ['שלום עולם יפה', 11, 'שלום עולם…'],
    ['by👩‍👩‍👧', 8, 'by…'],
    ['🇳🇵🇳🇵🇳🇵', 8, '🇳🇵…'],
    ['cafe\u0301s', 5, 'caf…'],
  ])('of %j in %d characters is %j', (text, limit, expected) => {
    expect(fitPlain(text, limit)).toBe(expected);
  });

  test('counts the escapes and is never cut between a backslash and its mark', () => {
    expect(fitEscaped('****', 8)).toBe('\\*\\*\\*\\*');
    expect(fitEscaped('*****', 8)).toBe('\\*\\*\\*…');
  });

  test.each([
    ['escaped', fitEscaped],
    ['plain', fitPlain],
    ['with links', fitText],
  ])('never passes its limit and never cuts a character in half (%s)', (_, shorten) => {
    fc.assert(
      fc.property(hostile, fc.integer({ min: 1, max: 80 }), (text, limit) => {
        const fitted = shorten(text, limit);
        expect(fitted.length).toBeLessThanOrEqual(limit);
        expect(Buffer.from(fitted).toString()).toBe(fitted);
      }),
    );
  });
});

describe('a text with addresses', () => {
  test.each([
    ['https://git.example/a_b/~me?x=1_2', 'https://git.example/a_b/~me?x=1_2'],
    ['see_this https://a.example/x_y and_that', 'see\\_this https://a.example/x_y and\\_that'],
    ['[here](https://evil.example/a_b)', '\\[here\\](https://evil.example/a_b)'],
    ['https://a.example/**b**', 'https://a.example/\\*\\*b\\*\\*'],
    ['https://_ not an address _', 'https://\\_ not an address \\_'],
  ])('%j stays usable: %j', (text, expected) => {
    expect(fitText(text, 200)).toBe(expected);
  });

  test.each([
    ['https://a.example/a_long_path', 'https:\u200b//a.example/a\\_lon…'],
    // What is kept of a value was cut before.
    ['https://a.example/a_l…', 'https:\u200b//a.example/a\\_l…'],
    ['https://a.example/ab words', 'https://a.example/ab words'],
  ])('an address that is cut is no link: %j', (text, expected) => {
    expect(fitText(text, 26)).toBe(expected);
  });
});
