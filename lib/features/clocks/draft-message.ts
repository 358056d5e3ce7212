import { randomUUID } from 'node:crypto';
import type { NotionWorkspace } from '@/lib/db/generated/client';
import type { MessageBody } from '@/lib/integrations/discord/discord-messages';
import type { SchemaProperty } from '@/lib/integrations/notion/notion-catalog';
import type { Page } from '@/lib/integrations/notion/notion-page';
import { describeSchedule } from '../calendar/words';
import { composeMessage } from '../cards/compose-message';
import { buildDigest, PAGES_PER_SCREEN } from '../cards/digest-card';
import { reminderActions } from '../cards/reminder-actions';
import type { ClockFinding } from '../cards/words';
import { completeOptionIds } from '../connections/status-property';
import { type PostBody, postOfSeveral } from '../forums/post-shape';
import { composeFor, toLetter } from '../letters/write-letters';
import { composeLiving, type LivingRule } from '../living/compose-living';
import { keepsCards } from '../matching/kept-cards';
import type { PageEvent } from '../matching/match';
import type { RuleTerms } from '../matching/schema';
import { toSummary } from '../matching/summary';
import { isToPeople } from '../matching/words';

/** A rule that is not saved, with what its messages show. */
export interface ClockDraft extends LivingRule, Pick<RuleTerms, 'schedule'> {
  sourceName: string;
  /** What people call it, or from where to where it leads. */
  ruleName: string;
  schema: SchemaProperty[];
}

/**
 * What a clock's rule that is not saved would post, as if the clock fired it now and found these pages: for the first of
 * them, or a list. The pages must be at least one, but for a list.
 */
export async function composeClockDraft(
  workspace: NotionWorkspace,
  rule: ClockDraft,
  pages: Page[],
): Promise<PostBody> {
  const { schedule } = rule;
  if (!schedule || 'every' in schedule) {
    return postOfSeveral(rule, rule.sourceName, composeList(rule, pages));
  }
  const propertyId = 'propertyId' in schedule ? schedule.propertyId : null;
  const page = pages.find(({ values }) => propertyId === null || values.get(propertyId)?.key) ?? pages[0];
  if (!page) throw new Error('A card is about a page.');
  const told = { event: nobodysEvent(), changes: [], found: findingOf(schedule, rule.schema, page) };
  if (isToPeople(rule)) {
    const letter = toLetter(await composeFor(workspace, rule, page, told), page, '');
    return withReminders(letter, rule, page);
  }
  const card = keepsCards(rule)
    ? (await composeLiving(workspace, rule, page, told)).card
    : await composeMessage(workspace, rule, page, told);
  return withReminders(card, rule, page);
}

/** That the clock fired, which nobody caused. */
const nobodysEvent = (): PageEvent => ({
  id: randomUUID(),
  type: 'clock',
  authors: [],
  botAuthors: [],
  updatedProperties: [],
  occurredAt: new Date(),
});

function findingOf(
  schedule: Exclude<RuleTerms['schedule'], null | { every: unknown }>,
  schema: SchemaProperty[],
  { values }: Page,
): ClockFinding {
  const { days } = schedule;
  if (!('propertyId' in schedule)) return { kind: 'untouched', days };
  const { propertyId } = schedule;
  const name = schema.find(({ id }) => id === propertyId)?.name ?? '';
  const [date = ''] = values.get(propertyId)?.key.split('/') ?? [];
  return { kind: 'date', name, date: date.slice(0, '2026-11-24'.length), daysLeft: days };
}

/** The card with the buttons that write to Notion, above those that it has. A line has none. */
function withReminders<Body extends MessageBody>(
  body: Body,
  { schedule, schema, size, database }: ClockDraft,
  page: Page,
): Body {
  const dated = schedule && 'propertyId' in schedule ? schedule.propertyId : null;
  // Only a date can be moved: Notion itself writes when a page was made or edited.
  if (size === 'compact' || schema.find(({ id }) => id === dated)?.type !== 'date') return body;
  const status = schema.find(({ id }) => id === database.statusPropertyId);
  const canComplete = status !== undefined && completeOptionIds(status).length > 0;
  const row = reminderActions({ ruleId: randomUUID(), pageId: page.id, canComplete });
  return { ...body, components: [row, ...(body.components ?? [])] };
}

function composeList(rule: ClockDraft, pages: Page[]): MessageBody {
  const { schedule, schema, sourceName, ruleName, mentions } = rule;
  const property = (id: string) => schema.find((each) => each.id === id)?.name ?? id;
  return buildDigest({
    ruleName,
    sourceName,
    eventType: 'summary',
    pages: pages.length,
    shown: pages
      .slice(0, PAGES_PER_SCREEN)
      .map((page) => ({ status: null, news: { ...toSummary(page, []), isNew: false } })),
    when: schedule ? describeSchedule(schedule, { property }) : '',
    users: mentions.userIds,
    roleIds: mentions.roleIds,
    moreId: null,
  });
}
