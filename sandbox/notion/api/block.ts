import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Block, Row } from '../notion-state';
import { richTextObjects } from '../rich-text';
import type { Caller } from './caller';
import { toMinute } from './property-value';
import { storedRichText } from './property-write';
import { type RichTextRequest, richTextSchema } from './property-write-schema';

const TEXT_BLOCKS = [
  'paragraph',
  'heading_1',
  'heading_2',
  'heading_3',
  'bulleted_list_item',
  'numbered_list_item',
  'to_do',
  'quote',
  'callout',
] as const;

const content = z.strictObject({
  rich_text: richTextSchema,
  color: z.string().optional(),
  checked: z.boolean().optional(),
});
const block = z.union(
  TEXT_BLOCKS.map((type) =>
    z.strictObject({
      object: z.literal('block').optional(),
      type: z.literal(type).optional(),
      [type]: content,
    }),
  ),
);
/** The text blocks that a new page may contain. */
export const blocksSchema = z.array(block).max(100);

export function storedBlocks(caller: Caller, blocks: z.infer<typeof blocksSchema>): Block[] {
  return blocks.map((each) => {
    const type = TEXT_BLOCKS.find((name) => name in each) ?? 'paragraph';
    const { rich_text } = each[type] as { rich_text: RichTextRequest[] };
    return { id: randomUUID(), type, text: storedRichText(caller, rich_text) };
  });
}

export function blockObject(caller: Caller, row: Row, each: Block) {
  return {
    object: 'block',
    id: each.id,
    parent: { type: 'page_id', page_id: row.id },
    type: each.type,
    [each.type]: { rich_text: richTextObjects(each.text, caller.scene), color: 'default' },
    has_children: false,
    in_trash: false,
    created_time: toMinute(row.createdAt),
    created_by: { object: 'user', id: row.createdBy },
    last_edited_time: toMinute(row.editedAt),
    last_edited_by: { object: 'user', id: row.editedBy },
  };
}
