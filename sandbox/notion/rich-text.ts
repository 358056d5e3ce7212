import type { RichTextItemResponse } from '@notionhq/client';
import type { Annotations, Member, RichText } from './notion-state';
import { userObject } from './user-object';

const NO_ANNOTATIONS = { bold: false, italic: false, strikethrough: false, underline: false, code: false };

/** The plain text of a rich text. */
export function plainText(items: RichText[], members: Member[]): string {
  return items.map((item) => plainItem(item, members)).join('');
}

export interface RichTextScene {
  members: Member[];
  withEmail: boolean;
  /** The title and address of a mentioned page or database, when the reader may see it. */
  mentioned(id: string): { title: string; url: string } | undefined;
}

/** A rich text as the API returns it. */
export function richTextObjects(items: RichText[], scene: RichTextScene): RichTextItemResponse[] {
  return items.map((item) => {
    const target = item.kind === 'page' || item.kind === 'database' ? scene.mentioned(item.id) : undefined;
    const common = {
      annotations: annotationsOf(item.annotations),
      plain_text: target?.title ?? plainItem(item, scene.members),
      href: item.kind === 'text' ? item.link : (target?.url ?? null),
    };
    return { ...common, ...payloadOf(item, scene) };
  });
}

function payloadOf(item: RichText, scene: RichTextScene) {
  switch (item.kind) {
    case 'text':
      return {
        type: 'text' as const,
        text: { content: item.text, link: item.link === null ? null : { url: item.link } },
      };
    case 'equation':
      return { type: 'equation' as const, equation: { expression: item.expression } };
    case 'user':
      return mention({ type: 'user' as const, user: userObject(item.id, scene.members, scene.withEmail) });
    case 'date':
      return mention({ type: 'date' as const, date: item.date as never });
    case 'page':
      return mention({ type: 'page' as const, page: { id: item.id } });
    case 'database':
      return mention({ type: 'database' as const, database: { id: item.id } });
  }
}

function mention<T>(content: T) {
  return { type: 'mention' as const, mention: content };
}

function annotationsOf(given: Annotations = {}) {
  const { color = 'default', ...marks } = given;
  return { ...NO_ANNOTATIONS, ...marks, color: color as 'default' };
}

function plainItem(item: RichText, members: Member[]): string {
  switch (item.kind) {
    case 'text':
      return item.text;
    case 'equation':
      return item.expression;
    case 'user':
      return `@${members.find((each) => each.id === item.id)?.name ?? 'Anonymous'}`;
    case 'date':
      return item.date.end ? `${item.date.start} → ${item.date.end}` : item.date.start;
    default:
      return 'Untitled';
  }
}
