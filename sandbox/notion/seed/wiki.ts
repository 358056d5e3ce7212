import type { Container, Doc, DocParent, Workspace } from '../notion-state';
import { seedId } from './seed-id';

const DAY_MS = 86_400_000;

interface DocDraft {
  title: string;
  icon: string;
  /** The title of its parent page; absent at the top. */
  in?: string;
  /** Whether it is in a column of that page. */
  inColumn?: true;
}

/** The pages outside databases of the first workspace; parents come first. */
const DRAFTS: DocDraft[] = [
  { title: 'Engineering wiki', icon: '📚' },
  { title: 'Build pipeline', icon: '🛠️', in: 'Engineering wiki' },
  { title: 'Coding conventions', icon: '📐', in: 'Engineering wiki', inColumn: true },
  { title: 'Shader style guide', icon: '🎨', in: 'Coding conventions' },
  { title: 'Studio handbook', icon: '🏡' },
  { title: 'Holidays and leave', icon: '🌴', in: 'Studio handbook' },
];

const docId = (title: string) => seedId(`doc:${title}`);

export function seedWiki(home: Workspace, now: Date) {
  const by = home.members[0]?.id ?? '';
  const at = new Date(now.getTime() - 40 * DAY_MS).toISOString();
  const docs: Record<string, Doc> = {};
  const containers: Record<string, Container> = {};
  const block = (name: string, type: Container['type'], parent: Container['parent']) => {
    const id = seedId(`block:${name}`);
    containers[id] = { id, type, parent };
    return { type: 'block' as const, id };
  };
  for (const { title, icon, in: above, inColumn } of DRAFTS) {
    const page = above === undefined ? null : { type: 'page' as const, id: docId(above) };
    const column =
      page && inColumn && block(`column:${title}`, 'column', block(`columns:${title}`, 'column_list', page));
    const parent: DocParent = column || page || { type: 'workspace' };
    const made = { createdAt: at, createdBy: by, editedAt: at, editedBy: by, inTrash: false };
    docs[docId(title)] = { id: docId(title), workspaceId: home.id, title, icon, parent, ...made };
  }
  return { docs, containers };
}
