import { formatDay } from './format';

/** Entries by the day on which they happened, in their order. The present day is called "Today". */
export function byDay<Entry extends { at: string }>(entries: Entry[]): { day: string; entries: Entry[] }[] {
  const today = formatDay(new Date().toISOString());
  const days: { day: string; entries: Entry[] }[] = [];
  for (const entry of entries) {
    const date = formatDay(entry.at);
    const day = date === today ? 'Today' : date;
    const last = days.at(-1);
    if (last?.day === day) last.entries.push(entry);
    else days.push({ day, entries: [entry] });
  }
  return days;
}
