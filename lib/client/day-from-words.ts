import { DAY_MS, dayInUtc } from '@/lib/time';

const NAMED: Record<string, number> = {
  yesterday: -1,
  today: 0,
  tomorrow: 1,
  'next week': 7,
  'last week': -7,
};
const DISTANCE = /^(?:in\s+(\d{1,4})\s+(day|week)s?|(\d{1,4})\s+(day|week)s?\s+ago)$/;
const DAYS: Record<string, number> = { day: 1, week: 7 };

/** The day that words such as "in 3 days", "2 weeks ago" or "tomorrow" name, as ISO 8601; null when they name none. */
export function dayFromWords(words: string, now: Date): string | null {
  const text = words.trim().toLowerCase().replace(/\s+/g, ' ');
  const [, ahead, unit = '', back, unitBack = ''] = DISTANCE.exec(text) ?? [];
  const distance = ahead
    ? Number(ahead) * (DAYS[unit] ?? 1)
    : back
      ? -Number(back) * (DAYS[unitBack] ?? 1)
      : NAMED[text];
  if (distance === undefined) return null;
  const today = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate());
  return dayInUtc(new Date(today + distance * DAY_MS));
}
