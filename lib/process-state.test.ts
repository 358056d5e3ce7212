import { beforeEach, expect, test, vi } from 'vitest';
import { UnknownKeyError } from './crypto';
import { StillUnderWay } from './db/call-claim';
import { AppError } from './errors';
import { DiscordError } from './integrations/discord/discord-request';
import { NotionError } from './integrations/notion/notion-request';

// Next gives each bundle copies of our modules.
beforeEach(() => {
  vi.resetModules();
});

test.each([
  ['AppError', AppError, async () => new (await import('./errors')).AppError('conflict', 'Gone')],
  ['UnknownKeyError', UnknownKeyError, async () => new (await import('./crypto')).UnknownKeyError()],
  ['StillUnderWay', StillUnderWay, async () => new (await import('./db/call-claim')).StillUnderWay()],
  [
    'DiscordError',
    DiscordError,
    async () => new (await import('./integrations/discord/discord-request')).DiscordError(404, 0, 'gone'),
  ],
  [
    'NotionError',
    NotionError,
    async () => new (await import('./integrations/notion/notion-request')).NotionError(404, 'gone', 'gone'),
  ],
])('%s of another bundle is recognised', async (_, errorClass, makeOther) => {
  const other = await makeOther();
  expect(other.constructor).not.toBe(errorClass);
  expect(other instanceof errorClass).toBe(true);
});

test('an error is of its own class and of the class that it extends, and of no other', async () => {
  const { UnknownKeyError: Other } = await import('./crypto');
  const unknownKey = new Other();
  expect(unknownKey instanceof AppError).toBe(true);
  expect(unknownKey instanceof NotionError).toBe(false);
  expect(new AppError('conflict', 'Gone') instanceof UnknownKeyError).toBe(false);
  class Own extends AppError {}
  expect(new AppError('conflict', 'Gone') instanceof Own).toBe(false);
  expect(new Own('conflict', 'Gone') instanceof Own).toBe(true);
});
