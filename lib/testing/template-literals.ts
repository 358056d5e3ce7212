import { parseAst } from 'vitest/node';

/** The template literals of a file of TypeScript, as written. Those within another are part of it. */
export function findTemplateLiterals(text: string): string[] {
  const found: string[] = [];
  const look = (node: object) => {
    if (isTemplate(node)) {
      found.push(text.slice(node.start, node.end));
      return;
    }
    for (const part of Object.values(node)) if (part && typeof part === 'object') look(part);
  };
  look(parseAst(text, { lang: 'ts' }));
  return found;
}

function isTemplate(node: object): node is { start: number; end: number } {
  return 'type' in node && node.type === 'TemplateLiteral';
}
