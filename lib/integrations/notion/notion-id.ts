import { z } from 'zod';

/** A Notion id in its usual form: lower case with dashes. The API also accepts and returns ids without dashes. */
export const notionIdSchema = z
  .string()
  .min(1)
  .max(100)
  .transform((id) => {
    const hex = id.toLowerCase().replaceAll('-', '');
    if (!/^[0-9a-f]{32}$/.test(hex)) return id;
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  });

/** An id without dashes, for fields that allow few characters. */
export const compactId = (id: string): string => id.replaceAll('-', '');
