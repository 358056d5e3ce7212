import { NotionError, notionCall } from './notion-request';

const LARGEST_BATCH = 100;

interface Batch {
  page_size: number;
  filter_properties?: string[];
}

/**
 * Reads as many entries of a list as fit into one response, and as Notion can gather in time. For a page that does not
 * fit even alone, requests only its title. Throws NotionError.
 */
export async function readBatch<T>(read: (batch: Batch) => Promise<T>): Promise<T> {
  let isRepeated = false;
  let page_size = LARGEST_BATCH;
  for (;;) {
    const batch = page_size > 0 ? { page_size } : { page_size: 1, filter_properties: ['title'] };
    try {
      return await notionCall(() => read(batch));
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
