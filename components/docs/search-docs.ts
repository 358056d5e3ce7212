import type { Block, DocPage } from './content/doc-page';

export type DocHit = { href: string; page: string; heading: string };

function blockText(block: Block): string {
  switch (block.kind) {
    case 'text':
    case 'note':
      return block.text;
    case 'list':
    case 'steps':
      return block.items.join(' ');
    case 'table':
      return block.rows.flat().join(' ');
    case 'picture':
      return block.alt;
  }
}

/** The sections that contain every word of the query; those with a word in their heading come first. */
export function searchDocs(pages: DocPage[], query: string): DocHit[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const hits: (DocHit & { rank: number })[] = [];
  for (const page of pages) {
    for (const section of page.sections) {
      const title = `${page.title} ${section.heading}`.toLowerCase();
      const all = `${title} ${page.description} ${section.blocks.map(blockText).join(' ')}`.toLowerCase();
      if (!words.every((word) => all.includes(word))) continue;
      const rank = words.filter((word) => title.includes(word)).length;
      hits.push({ href: `${page.path}#${section.id}`, page: page.title, heading: section.heading, rank });
    }
  }
  return hits.sort((a, b) => b.rank - a.rank).slice(0, 8);
}
