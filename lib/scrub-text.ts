import { processState } from './process-state';

const QUERY = /[?#][^\s"'<>]*=[^\s"'<>]*/g;
const AFTER_PATH = /((?:https?:\/\/|\/)[^\s"'<>?#]*)[?#][^\s"'<>]*/g;

// Discord puts the tokens of interactions and webhooks into paths.
const TOKEN_IN_PATH = /(\/(?:webhooks|interactions)\/\d+\/)[^\s/"'<>?#]+/g;
const PASSWORD_IN_URL = /([a-z]+:\/\/)[^\s/@]+@/gi;
const CREDENTIALS = /\b(Bearer|Bot|Basic)\s+[\w.~+/=-]{6,}/g;
const KEYS = /\b(?:sk|pk|rk|whsec|ntn|secret|xox[a-z])_[\w-]{6,}/g;
const JWT = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g;
const RANDOM = /(?<![\w/.-])(?=[\w+-]*\d)(?=[\w+-]*[a-z])(?=[\w+-]*[A-Z])[\w+-]{24,}={0,2}(?![\w/])/g;
const HEX = /\b[0-9a-f]{40,}\b/gi;
const EMAIL = /[^\s"'<>()[\]{}=:,;/@]+@[^\s"'<>()[\]{}=:,;/@]+\.[a-z]{2,}/gi;
// Attributes of elements on a page may quote what somebody wrote.
const ATTRIBUTE = /\[(?:aria-label|title|alt|name)=(["']).*?\1\]/g;

const SECRET = '[secret]';

// The expressions above take a time that grows with the square of a text's length.
const LONGEST = 4000;

const secrets = processState('secrets', () => new Set<string>());

/** Sets the values that are removed from every text that is scrubbed from now on. */
export function hideSecrets(hidden: string[]): void {
  secrets.clear();
  for (const secret of hidden) if (secret.length > 0) secrets.add(secret);
}

/**
 * A text without query strings of URLs, which hold codes of OAuth flows, and without tokens, keys and e-mail
 * addresses; of a very long one, only the beginning.
 */
export function scrubText(text: string): string {
  let scrubbed = text.length > LONGEST ? beginningOf(text) : text;
  for (const secret of secrets) scrubbed = scrubbed.replaceAll(secret, SECRET);
  return scrubbed
    .replace(QUERY, '')
    .replace(AFTER_PATH, '$1')
    .replace(TOKEN_IN_PATH, `$1${SECRET}`)
    .replace(PASSWORD_IN_URL, '$1')
    .replace(CREDENTIALS, `$1 ${SECRET}`)
    .replace(KEYS, SECRET)
    .replace(JWT, SECRET)
    .replace(RANDOM, SECRET)
    .replace(HEX, SECRET)
    .replace(EMAIL, '[e-mail]')
    .replace(ATTRIBUTE, '');
}

// Whole words only: half of a secret is not recognised.
const beginningOf = (text: string) => `${text.slice(0, text.lastIndexOf(' ', LONGEST) + 1)}…`;

// Prisma's messages begin with the whole call and its values; the reason is their last line.
const PRISMA_CALL = /^\s*Invalid .*invocation/;
// It quotes what PostgreSQL says, which quotes values in turn.
const RAW_QUERY = /Raw query failed\. Code: `([^`]*)`\. Message: `(.*)`$/s;
const NOT_JSON = /^(Unexpected|Expected|Bad|Unterminated)\b.*JSON.*$/s;
// Notion's messages quote the value that it received.
const INSTEAD = /instead was .*$/s;
// After a colon, a quoted text is a value. Elsewhere it is one if it has a space, unlike names of columns and fields.
// The end of a very long one is cut off.
const VALUE = /(:\s*)(["'`])(?:(?!\2).)*(?:\2|…$)/gs;
const QUOTED = /(?<=^|[\s([{:=,])(["'`])(?=(?:(?!\1).)*?[^\w.$/()-])(?:(?!\1).)+(?:\1|…$)/gs;

/** An error's message, scrubbed and without the values that it quotes. */
export function scrubMessage(message: string): string {
  const reason = PRISMA_CALL.test(message) ? (message.trim().split('\n').at(-1) ?? '') : message;
  return scrubText(reason.replace(RAW_QUERY, 'Raw query failed with $1: $2'))
    .replace(NOT_JSON, 'This is not valid JSON')
    .replace(INSTEAD, 'instead was …')
    .replace(VALUE, '$1$2…$2')
    .replace(QUOTED, '$1…$1');
}
