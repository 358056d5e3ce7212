import { fitPlain } from '@/lib/discord-text';

/** The most characters that cards, lists of deliveries and snapshots keep of a value. */
export const MAX_VALUE = 300;
/** The most characters that they keep of a property's name. */
const MAX_NAME = 256;
/** The most characters that they keep of a comment. A card shows half of that, once its empty lines are out. */
const MAX_COMMENT = 2000;

/** The beginning of a value, as it is shown. */
export const fitValue = (text: string) => shorten(text, MAX_VALUE);

/** The beginning of a name, as it is shown. */
export const fitName = (name: string) => shorten(name, MAX_NAME);

/** The beginning of a comment, from which its card can be made again. */
export const fitComment = (text: string) => shorten(text, MAX_COMMENT);

const shorten = (text: string, limit: number) => (text.length > limit ? fitPlain(text, limit) : text);
