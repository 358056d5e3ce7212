import { expect, test } from 'vitest';
import { findTemplateLiterals } from './template-literals';

test('a template literal ends where it ends, whatever is within it', () => {
  const written = ['`one #{rows.map((row) => `two #{row} three`)} four`', '`five \\` #{"`"}`'];
  const [nested, escaped] = written.map((literal) => literal.replaceAll('#', '$'));
  const text = `const quote = /\`/; // It's a \`quote\`.
    const long = ${nested};
    export const tagged = sql<Row>${escaped};`;
  expect(findTemplateLiterals(text)).toEqual([nested, escaped]);
});
