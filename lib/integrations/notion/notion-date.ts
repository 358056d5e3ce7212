import { z } from 'zod';
import { getRawPage, type Page, toPage } from './notion-page';

const dateSchema = z.object({
  start: z.string(),
  end: z.string().nullable().default(null),
  time_zone: z.string().nullable().default(null),
});

/** The value of a date property in Notion's format: a day, or a time with an offset or in a time zone. */
export type NotionDate = z.infer<typeof dateSchema>;

const propertySchema = z.object({ id: z.string(), type: z.literal('date'), date: dateSchema.nullable() });

/**
 * Reads a page with the exact value of one of its date properties; undefined when it has no such property. Throws
 * NotionError.
 */
export async function getPageWithDate(
  accessToken: string,
  pageId: string,
  propertyId: string,
): Promise<{ page: Page; date: NotionDate | null | undefined }> {
  const raw = await getRawPage(accessToken, pageId);
  const page = toPage(raw);
  const { properties } = raw as { properties: Record<string, unknown> };
  const found = Object.values(properties)
    .map((property) => propertySchema.safeParse(property).data)
    .find((property) => property?.id === propertyId);
  return { page, date: found?.date };
}
