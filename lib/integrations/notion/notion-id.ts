import { z } from 'zod';

/** A Notion id as Notion mostly writes it: lower case with dashes. Its API also takes and gives it without. */
export const notionIdSchema = z
  .string()
  .min(1)
  .max(100)
  .transform((id) => {
    const hex = id.toLowerCase().replaceAll('-', '');
    if (!/^[0-9a-f]{32}$/.test(hex)) return id;
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  });

/** The id without dashes: what fits where characters are few. */
export const compactId = (id: string): string => id.replaceAll('-', '');
