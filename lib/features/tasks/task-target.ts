import { compactId, notionIdSchema } from '@/lib/integrations/notion/notion-id';

/** A task as the custom id of a button names it. */
export interface TaskTarget {
  pageId: string;
  databaseId: string;
}

/** The Notion id in a text from outside, or null. */
export function toNotionId(text: string | undefined): string | null {
  return /^[0-9a-f]{32}$/.test(compactId(text ?? '')) ? notionIdSchema.parse(text) : null;
}

/** The task named by the parts of a custom id, or null when they name none. */
export function toTaskTarget([page, database]: string[]): TaskTarget | null {
  const pageId = toNotionId(page);
  const databaseId = toNotionId(database);
  return pageId && databaseId ? { pageId, databaseId } : null;
}
