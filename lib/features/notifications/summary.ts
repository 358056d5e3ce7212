import { z } from 'zod';
import { open, seal } from '@/lib/crypto';
import type { Page } from '@/lib/integrations/notion/notion-page';
import type { PropertyValue } from '@/lib/integrations/notion/property-value';
import type { PropertyChange } from './match';

const summarySchema = z.object({
  title: z.string(),
  url: z.string().nullable(),
  changes: z.array(z.object({ name: z.string(), before: z.string().nullable(), after: z.string() })),
});

/** What a delivery was about, as the list of deliveries shows it. A null `before` means that it is not known. */
export type Summary = z.infer<typeof summarySchema>;

const purposeOf = (deliveryId: string) => `summary:${deliveryId}`;

export function sealSummary(deliveryId: string, summary: Summary): Uint8Array<ArrayBuffer> {
  return seal(JSON.stringify(summary), purposeOf(deliveryId));
}

/** Throws when the bytes were sealed for another delivery. */
export function openSummary(deliveryId: string, sealed: Uint8Array): Summary {
  return summarySchema.parse(JSON.parse(open(sealed, purposeOf(deliveryId))));
}

/** What an event of a page was about. */
export function toSummary({ title, url }: Pick<Page, 'title' | 'url'>, changes: PropertyChange[]): Summary {
  return {
    title,
    url: url || null,
    changes: changes.map(({ name, before, after }) => ({
      name,
      before: before && wordsOf(before),
      after: wordsOf(after),
    })),
  };
}

const wordsOf = (value: PropertyValue) => value.text || (value.userNames ?? []).filter(Boolean).join(', ');
