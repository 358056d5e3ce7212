const DASHED = /\b([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})\b/g;

/** A text with every id in it written without dashes, as Notion also accepts them. */
export const withPlainIds = (text: string): string => text.replaceAll(DASHED, '$1$2$3$4$5');
