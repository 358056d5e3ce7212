import { texts } from '@/lib/bot-texts';
import type { Summary } from '../matching/summary';
import { changeText, linked, titleWords } from './line-text';

// Ten links of this length and their first changes fit into an embed of 4,096 characters.
const MAX_TITLE = 60;
const MAX_URL = 150;

/** A line for each event of a flood; null stands for an event that can no longer be read. */
export const floodText = (events: (Summary | null)[]): string => events.map(lineOf).join('\n');

function lineOf(event: Summary | null): string {
  if (!event) return `- ${texts.aPage}`;
  const { title, url, changes, moreChanges } = event;
  const page = linked(titleWords(title, MAX_TITLE), url, MAX_URL);
  const [first] = changes;
  if (!first) return `- ${page}`;
  const rest = changes.length + moreChanges - 1;
  return `- ${page}: ${[changeText(first), ...(rest > 0 ? [texts.andMore(rest)] : [])].join(', ')}`;
}
