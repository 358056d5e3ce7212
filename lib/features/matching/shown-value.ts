import { fitPlain } from '@/lib/discord-text';

/** How much of an old or new value a card, a list of deliveries and the memory of a page show. */
export const VALUE_MAX = 300;
/** How much of the name of a property. */
const NAME_MAX = 256;

/** So much of a value as is shown. */
export const fitValue = (text: string) => shorten(text, VALUE_MAX);

/** So much of a name as is shown. */
export const fitName = (name: string) => shorten(name, NAME_MAX);

const shorten = (text: string, limit: number) => (text.length > limit ? fitPlain(text, limit) : text);
