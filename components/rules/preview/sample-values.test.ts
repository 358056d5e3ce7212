import { expect, test } from 'vitest';
import { sampleAuthor, sampleSentence } from './sample-values';

const mira = { id: 'm', name: 'Mira Castellan' };
const jonas = { id: 'j', name: 'Jonas Brandt' };
const users = [jonas, mira];

test.each([
  ['anyone', [], true, 'Mira Castellan'],
  ['only', ['m', 'j'], false, 'Mira Castellan'],
  ['only', ['j'], false, 'Jonas Brandt'],
  ['only', ['j'], true, 'Jonas Brandt'],
  ['only', [], true, 'An integration'],
  ['only', ['left'], false, 'A teammate'],
  ['only', [], false, 'A teammate'],
  ['except', ['j'], true, 'Mira Castellan'],
  ['except', ['m'], true, 'Jonas Brandt'],
  ['except', ['m', 'j'], true, 'A guest'],
] as const)('the sample of a rule for %s %j, bots %s, is by %s', (mode, people, bots, author) => {
  expect(sampleAuthor({ mode, people: [...people], bots }, users, mira.name)).toBe(author);
});

test('somebody whom Notion does not list stands for anyone but others', () => {
  expect(sampleAuthor({ mode: 'except', people: ['j'], bots: true }, users, 'vera')).toBe('vera');
});

test('the sample sentence keeps its order beside names that are read from right to left', () => {
  expect(sampleSentence('Mira', [{ name: 'מצב (1)', to: 'טוב!' }])).toBe(
    'Mira changed \u2068מצב (1)\u2069 of An edited page to \u2068טוב!\u2069',
  );
});
