import { Temporal } from 'temporal-polyfill';
import { DAY_LENGTH } from '@/lib/time';

const OFFSET = /(Z|[+-]\d{2}:?\d{2})$/;

/** Whether a date in Notion's format has a time with an offset. */
export const hasOffset = (text: string): boolean => OFFSET.test(text.slice(DAY_LENGTH));

/**
 * A time of a named zone, written with its offset. Returns the text as it is if it is a day, has an offset already, or
 * cannot be understood.
 */
export function withOffset(text: string, timeZone: string | null): string {
  if (!timeZone || text.length <= DAY_LENGTH || hasOffset(text)) return text;
  try {
    return `${text}${Temporal.PlainDateTime.from(text).toZonedDateTime(timeZone).offset}`;
  } catch (error) {
    if (error instanceof RangeError) return text;
    throw error;
  }
}
