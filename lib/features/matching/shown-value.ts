import { fitPlain } from '@/lib/discord-text';

/** How many characters of a value cards, lists of deliveries and snapshots keep. */
export const VALUE_MAX = 300;
/** How many characters of a property's name they keep. */
const NAME_MAX = 256;

/** The beginning of a value, as it is shown. */
export const fitValue = (text: string) => shorten(text, VALUE_MAX);

/** The beginning of a name, as it is shown. */
export const fitName = (name: string) => shorten(name, NAME_MAX);

const shorten = (text: string, limit: number) => (text.length > limit ? fitPlain(text, limit) : text);
