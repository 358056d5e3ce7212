import { z } from 'zod';
import type { PropertyValue } from './property-value';

const placeParts = z.tuple([z.string(), z.string().nullable(), z.string().nullable()]);

/** A place in words, which may say where it is: "Office", "Office (Long Lane 1)", "Office (52.5, 13.4)". */
export interface PlaceWords {
  text: string;
  withAddress: string;
  withCoordinates: string;
}

/** The words for a place; null for any other value, for no place, and for one of which only the name is known. */
export function wordsForPlace({ type, key, textKey, text }: PropertyValue): PlaceWords | null {
  // Older versions stored the name alone, and of a long value there is only a hash.
  if (type !== 'place' || textKey === undefined || !key.startsWith('[')) return null;
  const [at, , address] = placeParts.parse(JSON.parse(key));
  const within = (where: string | null) => (where && where !== text ? `${text} (${where})` : text);
  return { text, withAddress: within(address), withCoordinates: within(at) };
}
