const COMMENT = /--[^\n]*|\/\*[\s\S]*?\*\//y;
const STRING = /'(?:[^']|'')*'/y;
const NAME = /"(?:[^"]|"")*"/y;
const BODY = /\$(\w*)\$[\s\S]*?\$\1\$/y;
const RUNS_AT_ONCE = /^do\b/i;
const BLOCK_WORDS = /\b(begin|then|else|loop)\b/gi;

/**
 * The statements of a script, without comments and the contents of strings, with single spaces. Includes the
 * statements of a `do` block, but not those in the body of a function, because they run later.
 */
export function readStatements(script: string): string[] {
  const found: string[] = [];
  let text = '';
  let body = '';
  const end = () => {
    const statement = text.replace(/\s+/g, ' ').trim();
    if (RUNS_AT_ONCE.test(statement)) found.push(...readStatements(body.replace(BLOCK_WORDS, ';')));
    else if (statement) found.push(statement);
    text = '';
    body = '';
  };
  for (let at = 0; at < script.length; ) {
    const take = (token: RegExp) => {
      token.lastIndex = at;
      return token.exec(script)?.[0];
    };
    const [comment, string, inDollars] = [take(COMMENT), take(STRING), take(BODY)];
    const taken = comment ?? string ?? inDollars ?? take(NAME) ?? script[at] ?? '';
    at += taken.length;
    if (comment) text += ' ';
    else if (string) text += "''";
    else if (inDollars) {
      body = inDollars.replace(/^\$\w*\$|\$\w*\$$/g, '');
      text += ' $$ ';
    } else if (taken === ';') end();
    else text += taken;
  }
  end();
  return found;
}

/** The parts of a list between commas, except those within parentheses. */
export function splitAtCommas(list: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const character of list) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim());
}
