import { NotionError, notionCall } from './notion-request';

const LARGEST_BATCH = 100;

interface Batch {
  page_size: number;
  filter_properties?: string[];
}

/**
 * Reads as many entries of a list as fit into one response. For a page that does not fit even alone, requests only its
 * title. Throws NotionError.
 */
export async function readBatch<T>(read: (batch: Batch) => Promise<T>): Promise<T> {
  for (let page_size = LARGEST_BATCH; page_size > 0; page_size = Math.floor(page_size / 4)) {
    try {
      return await notionCall(() => read({ page_size }));
    } catch (error) {
      if (!(error instanceof NotionError && error.isTooLarge)) throw error;
    }
  }
  return notionCall(() => read({ page_size: 1, filter_properties: ['title'] }));
}
