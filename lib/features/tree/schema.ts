import { z } from 'zod';

/** The query of GET /api/app/notion/pages: words of a title, or a pasted link. */
export const pagesQuerySchema = z.object({
  query: z.string().max(2000, 'query must have at most 2,000 characters').default(''),
});

const foundPageSchema = z.object({
  id: z.string(),
  title: z.string(),
  /** An emoji or the URL of a picture. */
  icon: z.string().nullable(),
  url: z.string().nullable(),
  /** The title of its parent page or database; null at the top, and when unknown. */
  parentTitle: z.string().nullable(),
});

/** GET /api/app/notion/pages */
export const pagesSchema = z.object({ pages: z.array(foundPageSchema) });

export type FoundPage = z.infer<typeof foundPageSchema>;
