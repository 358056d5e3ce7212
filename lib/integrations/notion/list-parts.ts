import { createHash } from 'node:crypto';
import { z } from 'zod';
import { boundText, MAX_LONG_TEXT } from './bounded-value';
import { type PropertyValue, toListValue } from './property-value';

const textSchema = z.object({ plain_text: z.string().catch('') });
const entrySchema = z.object({ id: z.string(), name: z.string().nullish() });

/** Collects a long list that Notion returns in parts. Keeps the beginning of its text and a hash of the whole. */
export class ListParts {
  count = 0;
  private readonly entries: unknown[] = [];
  private readonly digest = createHash('sha256');
  private text = '';

  constructor(private readonly type: string) {}

  add(results: unknown[]): void {
    this.count += results.length;
    for (const result of results) {
      const item = (result as Record<string, unknown>)[this.type];
      if (this.isText) this.addText(textSchema.safeParse(item).data?.plain_text ?? '');
      else this.entries.push(entrySchema.safeParse(item).data ?? item);
    }
  }

  /** The value that these parts form. Its key is always a hash, however short the list is. */
  toValue(): PropertyValue {
    if (!this.isText) return toListValue(this.type, this.entries);
    return { type: this.type, key: this.digest.digest('hex'), ...boundText(this.text) };
  }

  private get isText(): boolean {
    return this.type === 'title' || this.type === 'rich_text';
  }

  private addText(part: string): void {
    this.digest.update(part);
    if (this.text.length < MAX_LONG_TEXT) this.text += part;
  }
}
