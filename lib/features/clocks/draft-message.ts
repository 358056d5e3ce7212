import { randomUUID } from 'node:crypto';
import type { MessageBody } from '@/lib/integrations/discord/discord-messages';
import type { Page } from '@/lib/integrations/notion/notion-page';
import { dateInZone, localDateOf } from '../calendar/local-dates';
import type { Schedule, Summary } from '../calendar/schema';
import { reminderOfRule } from '../cards/reminder-of-rule';
import type { ClockFinding } from '../cards/words';
import { type CardContent, type CardWorkspace, composeMessage } from '../composing/compose-message';
import { type PostBody, postOfSeveral } from '../forums/post-shape';
import { composeFor, letterRows, toLetter } from '../letters/write-letters';
import { composeLiving, type LivingRule } from '../living/compose-living';
import { keepsCards } from '../matching/kept-cards';
import type { PageEvent } from '../matching/match';
import type { RuleTerms } from '../matching/schema';
import { isToPeople } from '../matching/words';
import { schemaOf } from '../workspaces/database-schema';
import { composeForChannel, composeForPerson } from './compose-summary';
import { PagesOfSummary } from './pages-of-summary';

/** An unsaved rule, with what its messages show. */
export type ClockDraft = LivingRule & RuleTerms & { sourceName: string };

interface Shown {
  /** The pages for a list. A card is about the first of them that has the date. */
  pages: Page[];
  /** The rule's database, as it was last read. */
  database: { properties: unknown; statusPropertyId: string | null };
  timeZone: string;
  now: Date;
}

/**
 * What an unsaved clock rule would post if it fired now and its time had come for these pages: a card about one of
 * them, or a list of those that meet the conditions. A card needs at least one page.
 */
export async function composeClockDraft(
  workspace: CardWorkspace,
  rule: ClockDraft,
  shown: Shown,
): Promise<PostBody> {
  const { schedule } = rule;
  if (!schedule) throw new Error('A rule of the clock has a schedule.');
  if ('every' in schedule) {
    return postOfSeveral(rule, rule.sourceName, composeList(rule, schedule, shown));
  }
  const dated = 'propertyId' in schedule ? schedule.propertyId : null;
  const page = shown.pages.find(({ values }) => dated === null || values.get(dated)?.key) ?? shown.pages[0];
  if (!page) throw new Error('A card is about a page.');
  const reminder = reminderOfRule(rule, shown.database);
  const event = firedAt(shown.now);
  const told = { event, changes: [], finding: findingOf(schedule, page, shown), reminder };
  return composeUnsaved(workspace, rule, page, told);
}

/** What an unsaved rule would post about a page: a letter, a living card or an ordinary card. */
export async function composeUnsaved(
  workspace: CardWorkspace,
  rule: LivingRule & Pick<RuleTerms, 'destination'>,
  page: Page,
  told: CardContent,
): Promise<PostBody> {
  if (isToPeople(rule)) {
    const card = await composeFor(workspace, rule, page, told);
    return toLetter(card, page, '', letterRows(rule, page, told.reminder));
  }
  if (keepsCards(rule)) return (await composeLiving(workspace, rule, page, told)).card;
  return composeMessage(workspace, rule, page, told);
}

/** The event that the clock fired. It has no authors. */
const firedAt = (occurredAt: Date): PageEvent => ({
  id: randomUUID(),
  type: 'clock',
  authors: [],
  botAuthors: [],
  updatedProperties: [],
  occurredAt,
});

function findingOf(
  schedule: Exclude<Schedule, Summary>,
  { values }: Page,
  { database, timeZone, now }: Shown,
): ClockFinding {
  const { days } = schedule;
  if (!('propertyId' in schedule)) return { kind: 'untouched', days };
  const { propertyId } = schedule;
  const name = schemaOf(database).find(({ id }) => id === propertyId)?.name ?? '';
  const date = localDateOf(values.get(propertyId)?.key.split('/')[0] ?? '', timeZone);
  return { kind: 'date', name, date: date ?? dateInZone(now, timeZone), daysLeft: days };
}

function composeList(rule: ClockDraft, schedule: Summary, { pages, database, now }: Shown): MessageBody {
  const summary = new PagesOfSummary({ rule, run: { dueAt: now } }, schedule, database);
  for (const page of pages) summary.add(page);
  // No list is kept for a draft, so a test's button is switched off.
  const composed = { sourceName: rule.sourceName, schedule, pages: summary.pages, listId: randomUUID() };
  return isToPeople(rule) ? composeForPerson(rule, composed, '') : composeForChannel(rule, composed);
}
