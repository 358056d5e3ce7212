import { isolate } from '@/lib/bidi';
import { dateWriter, rewriteDays, rewriteInstants } from '@/lib/time';

// Dates are written only here and in `Timestamp`, which uses this file: in the reader's language and time zone, which
// only the browser knows. So nothing that a server renders contains a date. One that is read from right to left must not
// reverse the words around it.
function writer(options: Intl.DateTimeFormatOptions): (at: Date) => string {
  const write = dateWriter(undefined, options);
  return (at) => isolate(write(at));
}

const writeDate = writer({ dateStyle: 'long' });
const writeTime = writer({ timeStyle: 'short' });
const writeDay = writer({ weekday: 'long', month: 'long', day: 'numeric' });
const writeDayOfYear = writer({ dateStyle: 'full' });
const writePlainDay = writer({ dateStyle: 'medium', timeZone: 'UTC' });
const writeExact = writer({ dateStyle: 'medium', timeStyle: 'short' });

export const formatNumber = (value: number) => value.toLocaleString('en-US');
/** "November 21, 2026" */
export const formatDate = (at: string) => writeDate(new Date(at));
/** "2:05 PM", or "14:05" where that is the custom. */
export const formatTime = (at: string) => writeTime(new Date(at));
/** "Saturday, November 21", with the year unless it is this one. */
export function formatDay(at: string): string {
  const day = new Date(at);
  return day.getFullYear() === new Date().getFullYear() ? writeDay(day) : writeDayOfYear(day);
}
/** "Nov 21" */
export const formatShortDay = writer({ month: 'short', day: 'numeric' });
/** The day of the week of a date such as "2026-11-21": "Sat", or in full. */
export const formatWeekday = (date: string, weekday: 'short' | 'long') =>
  writer({ weekday, timeZone: 'UTC' })(new Date(date));
/** Only the time if it is today, otherwise the date too. */
export function formatMoment(at: string): string {
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  return isToday ? formatTime(at) : formatExactTime(at);
}
/** "Nov 21, 2026, 2:05 PM" */
export const formatExactTime = (at: string) => writeExact(new Date(at));
/** A value of a page as it was recorded, with times in ISO 8601 and days such as "Nov 24, 2026". */
export const formatValue = (text: string) => rewriteDays(rewriteInstants(text, writeExact), writePlainDay);

/** A text with a full stop at its end. A date may bring its own: "27. Dez." */
export const sentence = (text: string) => (text.endsWith('.') ? text : `${text}.`);

/** "1 rule", "3 rules"; pass `many` for irregular plurals. */
export const count = (value: number, one: string, many = `${one}s`) =>
  `${formatNumber(value)} ${value === 1 ? one : many}`;

/** The name of a time zone as shown: "America/New York". */
export const zoneName = (zone: string) => zone.replaceAll('_', ' ');

/** A plan's name as shown, with a capital first letter. */
export const planName = (plan: string) => plan.charAt(0).toUpperCase() + plan.slice(1);
