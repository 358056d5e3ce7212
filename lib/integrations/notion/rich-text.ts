// Notion's limit for the text of one rich-text object.
const MAX_TEXT = 2000;
const MAX_PARTS = 100;

/** A property's value to be written, with its texts as Notion returns them afterwards. */
export function asRead(value: object): object {
  const readAgain = (part: unknown) => {
    const { text } = part as { text?: { content?: unknown } };
    return typeof text?.content === 'string' ? { ...(part as object), plain_text: text.content } : part;
  };
  return Object.fromEntries(
    Object.entries(value).map(([type, given]) => [type, Array.isArray(given) ? given.map(readAgain) : given]),
  );
}

/** A text in Notion's format: at most the first 100,000 characters of it, in parts as long as Notion accepts. */
export function toRichText(text: string, link: string | null = null) {
  const points = Array.from(text);
  const parts: string[] = [];
  // Half of the limit, because a code point may count as two characters.
  for (let at = 0; at < points.length && parts.length < MAX_PARTS; at += MAX_TEXT / 2) {
    parts.push(points.slice(at, at + MAX_TEXT / 2).join(''));
  }
  return parts.map((content) => ({
    type: 'text' as const,
    text: { content, link: link === null ? null : { url: link } },
  }));
}
