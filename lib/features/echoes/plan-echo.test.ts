import { expect, test } from 'vitest';
import { type KnownEcho, wordEcho } from './plan-echo';

const AUTHOR = '208917000000000102';
const INES = { name: 'Ines *Ito*', discordUserId: '208917000000000103' };
const ECHO: KnownEcho = {
  id: 'echo',
  channelId: '1',
  messageId: '2',
  authorId: AUTHOR,
  isDone: false,
  databaseId: 'db',
  status: null,
  replyState: null,
  replyId: null,
};
const DONE = { isDone: true, by: INES, isQuiet: false };
const REPLY = { message_reference: { message_id: '2', fail_if_not_exists: false } };
const PINGS = { allowed_mentions: { parse: [], users: [AUTHOR], replied_user: true } };
const NOBODY = { allowed_mentions: { parse: [] } };
const done = { content: 'Done by Ines \\*Ito\\*' };
const POSTED = { replyState: 'sent', replyId: '3' } as const;

type Terms = Parameters<typeof wordEcho>[1];

test.each<[string, Partial<KnownEcho>, Terms, [string, object] | null]>([
  ['the first time', {}, DONE, ['post', { ...done, ...REPLY, ...PINGS }]],
  ['in quiet hours', {}, { ...DONE, isQuiet: true }, ['post', { ...done, ...REPLY, ...PINGS, flags: 4096 }]],
  [
    'by whoever wrote the message',
    {},
    { ...DONE, by: { name: null, discordUserId: AUTHOR } },
    ['post', { content: `Done by <@${AUTHOR}>`, ...REPLY, ...NOBODY }],
  ],
  ['by nobody knows whom', {}, { ...DONE, by: null }, ['post', { content: 'Done', ...REPLY, ...PINGS }]],
  ['again', POSTED, DONE, ['edit', { ...done, ...NOBODY }]],
  ['while the reply waits', { replyState: 'waiting' }, DONE, ['edit', { ...done, ...NOBODY }]],
  ['after the reply was deleted', { replyState: 'sent' }, DONE, null],
  ['after Discord took no reply', { replyState: 'failed' }, DONE, ['post', { ...done, ...REPLY, ...PINGS }]],
])('a task that is completed %s', (_, known, terms, expected) => {
  const said = wordEcho({ ...ECHO, ...known }, terms);
  expect(said && [said.kind, said.body]).toEqual(expected);
});

test.each([
  ['edits its reply', POSTED, ['edit', { content: 'Reopened by Ines \\*Ito\\*', ...NOBODY }]],
  ['says nothing without one', {}, null],
  ['says nothing where Discord took none', { replyState: 'held' } as const, null],
])('a task that is reopened %s', (_, known, expected) => {
  const said = wordEcho({ ...ECHO, ...known }, { ...DONE, isDone: false });
  expect(said && [said.kind, said.body]).toEqual(expected);
});
