import { invalid } from '../notion-error';
import type { Container, Doc } from '../notion-state';
import { parentObject } from '../standalone/page-tree';
import type { Caller } from './caller';
import { toMinute } from './property-value';

/** A page outside databases as the page endpoints return it: its title is its only property. */
export function docObject(caller: Caller, doc: Doc, only: string[] = []) {
  const unknown = only.find((given) => given !== 'title');
  if (unknown) throw invalid(`Could not find property with name or id: ${unknown}`);
  return {
    object: 'page' as const,
    id: doc.id,
    ...commonOf(doc),
    is_archived: false,
    is_locked: false,
    cover: null,
    icon: doc.icon ? { type: 'emoji' as const, emoji: doc.icon } : null,
    properties: { title: { id: 'title', type: 'title' as const, title: titleItems(doc.title) } },
    url: caller.world.urlOf(doc.id),
    public_url: null,
  };
}

/** The block of a page, which has the page's id. */
export const childPageObject = (doc: Doc) => ({
  object: 'block' as const,
  id: doc.id,
  ...commonOf(doc),
  type: 'child_page' as const,
  child_page: { title: doc.title },
  has_children: true,
});

export const containerObject = (container: Container) => ({
  object: 'block' as const,
  id: container.id,
  parent: parentObject(container.parent),
  type: container.type,
  [container.type]: container.type === 'toggle' ? { rich_text: [], color: 'default' } : {},
  has_children: true,
  in_trash: false,
});

const commonOf = (doc: Doc) => ({
  parent: parentObject(doc.parent),
  created_time: toMinute(doc.createdAt),
  last_edited_time: toMinute(doc.editedAt),
  created_by: { object: 'user' as const, id: doc.createdBy },
  last_edited_by: { object: 'user' as const, id: doc.editedBy },
  in_trash: doc.inTrash,
});

function titleItems(content: string) {
  if (!content) return [];
  const plain = { bold: false, italic: false, strikethrough: false, underline: false, code: false };
  return [
    {
      type: 'text' as const,
      text: { content, link: null },
      annotations: { ...plain, color: 'default' as const },
      plain_text: content,
      href: null,
    },
  ];
}
