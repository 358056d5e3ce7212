import type { z } from 'zod';
import { log } from '@/lib/log';
import { NotionError, notionCall } from './notion-request';

const LARGEST_BATCH = 100;

interface Batch {
  page_size: number;
  filter_properties?: string[];
}

interface Listed<Raw> {
  results: Raw[];
  has_more: boolean;
  next_cursor: string | null;
}

/**
 * Reads as many entries of a list as fit into one response, and as Notion can gather in time. For a page that does not
 * fit even alone, requests only its title. Throws NotionError.
 */
export async function readBatch<T extends { results: unknown[] }>(
  read: (batch: Batch) => Promise<T>,
): Promise<T> {
  let isRepeated = false;
  let page_size = LARGEST_BATCH;
  for (;;) {
    const batch = page_size > 0 ? { page_size } : { page_size: 1, filter_properties: ['title'] };
    try {
      const reply = await notionCall(() => read(batch));
      if (!Array.isArray(reply?.results)) throw unreadable();
      return reply;
    } catch (error) {
      if (!(error instanceof NotionError) || page_size === 0) throw error;
      if (error.isOverdue && !isRepeated) {
        isRepeated = true;
        continue;
      }
      if (!error.isTooLarge && !(error.isOverdue && page_size > 1)) throw error;
      page_size = Math.floor(page_size / 4);
    }
  }
}

// What a person waits for takes no more calls than this.
const MAX_FIRST_BATCHES = 20;

/**
 * The first entries of a list, at most `limit`, and whether there are more. Notion may return fewer at a time than it is
 * asked for. An entry that it lists again, as it may while the list changes, is there once. Throws NotionError.
 */
export async function readFirst<Raw extends { id: string }>(
  limit: number,
  read: (cursor: string | undefined, batch: Batch) => Promise<Listed<Raw>>,
): Promise<{ results: Raw[]; hasMore: boolean }> {
  const found = new Map<string, Raw>();
  let cursor: string | undefined;
  for (let nr = 1; ; nr += 1) {
    const from = cursor;
    const wanted = limit - found.size;
    const reply = await readBatch((batch) =>
      read(from, { ...batch, page_size: Math.min(batch.page_size, wanted) }),
    );
    for (const entry of reply.results) found.set(entry.id, entry);
    cursor = (reply.has_more && reply.next_cursor) || undefined;
    if (!cursor || found.size >= limit || nr === MAX_FIRST_BATCHES) {
      return { results: [...found.values()].slice(0, limit), hasMore: reply.has_more || found.size > limit };
    }
  }
}

// Far above any real workspace, so that an endless cursor cannot hold a request forever.
const MAX_BATCHES = 50;

/**
 * All entries of a list, each reduced by a schema to what is needed of it; at most 50 responses of them. An entry that
 * Notion lists again, as it may while the list changes, is there once, as it was listed last. One that does not fit the
 * schema is skipped, unless none of a response fits it. Throws NotionError.
 */
export async function readAll<T extends { id: string }>(
  read: (cursor: string | undefined, size: number) => Promise<Listed<unknown>>,
  schema: z.ZodType<T>,
): Promise<T[]> {
  const all = new Map<string, T>();
  let cursor: string | undefined;
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const from = cursor;
    const reply = await readBatch(({ page_size }) => read(from, page_size));
    for (const entry of readEntries(reply.results, schema)) all.set(entry.id, entry);
    if (!reply.has_more || !reply.next_cursor) break;
    cursor = reply.next_cursor;
  }
  return [...all.values()];
}

/**
 * The entries of a response, each read with a schema. One that does not fit it is skipped, unless none does. Throws
 * NotionError.
 */
export function readEntries<T>(results: unknown[], schema: z.ZodType<T>): T[] {
  const fitting = results.flatMap((result) => schema.safeParse(result).data ?? []);
  const skipped = results.length - fitting.length;
  if (skipped === 0) return fitting;
  if (fitting.length === 0) throw unreadable();
  log.warn({ skipped }, 'entries of an unknown shape skipped in a list from Notion');
  return fitting;
}

const unreadable = () =>
  new NotionError(200, 'unreadable_list', 'Notion returned a list of an unknown shape');
