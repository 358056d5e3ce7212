const numbers = new Intl.NumberFormat('en-US');
const dates = new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'long', day: 'numeric' });
const times = new Intl.DateTimeFormat('en-US', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const days = new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'long', day: 'numeric' });
const exact = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' });

export const formatNumber = (value: number) => numbers.format(value);
export const formatDate = (at: string) => dates.format(new Date(at));
/** "14:05", in the reader's time zone. */
export const formatTime = (at: string) => times.format(new Date(at));
/** "Saturday, November 21", in the reader's time zone. */
export const formatDay = (at: string) => days.format(new Date(at));
export const formatExactTime = (at: string) => exact.format(new Date(at));

/** "1 rule", "3 rules"; pass `many` for irregular plurals. */
export const count = (value: number, one: string, many = `${one}s`) =>
  `${formatNumber(value)} ${value === 1 ? one : many}`;

/** A plan's name as shown, with a capital first letter. */
export const planName = (plan: string) => plan.charAt(0).toUpperCase() + plan.slice(1);
