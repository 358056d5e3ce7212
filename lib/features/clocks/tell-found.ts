import { db, Prisma } from '@/lib/db/database';
import type { NotionDatabase } from '@/lib/db/generated/client';
import type { DatabaseTime } from '@/lib/queue/database-clock';
import { type Clock, tellLaterAt } from '../calendar/calendar';
import { dateInZone } from '../calendar/local-dates';
import type { Schedule } from '../calendar/schema';
import { toDigestDetails } from '../cards/digest-details';
import { reminderOfRule } from '../cards/reminder-of-rule';
import type { LoadedTurn } from '../changes/loaded-turn';
import { emptyPlan, type NewDecision, toDecision } from '../changes/turn-plan';
import { composeMessage } from '../composing/compose-message';
import { tellPeople } from '../letters/tell-people';
import { composeLiving } from '../living/compose-living';
import { KNOWN_CARDS } from '../living/living-sql';
import type { KnownCard } from '../living/plan-living';
import { planPageCards, withCards } from '../living/plan-page';
import { keepsCards, postsInForum } from '../matching/kept-cards';
import { sealSummary, toSummary } from '../matching/summary';
import { isToPeople } from '../matching/words';
import { sealMessage } from '../messages/sealed-body';
import type { PageCompletion } from './complete-pages';
import { asOf, type Found, judgeFound } from './due-pages';
import { type ToldItem, tellSql } from './tell-sql';

/** The database in which the clock finds something, and its account. */
export interface Scene {
  workspace: LoadedTurn['workspace'];
  database: NotionDatabase;
  clock: Clock;
  databaseTime: DatabaseTime;
  completion: PageCompletion;
}

/** How many items one statement tells. A larger one would hold its locks for too long. */
export const MAX_AT_ONCE = 100;

/** Tells what was found about single pages, each thing once however often it is found. */
export async function tellFound(scene: Scene, found: Found[]): Promise<void> {
  const left = await judgedInFull(scene, await withoutReminded(found));
  for (let from = 0; from < left.length; from += MAX_AT_ONCE) {
    const some = left.slice(from, from + MAX_AT_ONCE);
    const cards = await knownCards(scene, some);
    const items: ToldItem[] = [];
    for (const each of some) items.push(await itemOf(scene, each, cards.get(each.page.id) ?? []));
    await db().$queryRaw(
      tellSql(items, { workspaceId: scene.workspace.id, accountId: scene.workspace.accountId }),
    );
  }
}

/** What is left once the values are known that Notion has cut, without the pages about which it does not answer now. */
async function judgedInFull({ completion }: Scene, found: Found[]): Promise<Found[]> {
  const kept: Found[] = [];
  for (const each of found) {
    const { rule, run, page } = each;
    if (!(await completion.complete(page, [{ rule, at: run.nominalAt }]))) continue;
    const judged = judgeFound(each, page);
    if (judged) kept.push({ ...each, ...judged });
  }
  return kept;
}

async function withoutReminded(found: Found[]): Promise<Found[]> {
  if (found.length === 0) return [];
  const rows = await db().$queryRaw<{ key: number }[]>`
    select f.key from json_to_recordset(${JSON.stringify(
      found.map(({ rule, page, mark }, key) => ({ key, rule: rule.id, page: page.id, mark })),
    )}::json) as f(key int, rule uuid, page text, mark text)
    join reminder m on m.rule_id = f.rule and m.page_id = f.page and m.mark = f.mark`;
  const reminded = new Set(rows.map(({ key }) => key));
  return found.filter((_, key) => !reminded.has(key));
}

/** The living cards of the pages, for rules that post in forums. */
async function knownCards({ workspace }: Scene, found: Found[]): Promise<Map<string, KnownCard[]>> {
  const pageIds = found.filter(({ rule }) => postsInForum(rule)).map(({ page }) => page.id);
  if (pageIds.length === 0) return new Map();
  const rows = await db().$queryRaw<{ pageId: string; cards: KnownCard[] | null }[]>(Prisma.sql`
    select t.page_id as "pageId", ${KNOWN_CARDS} as cards
    from unnest(${pageIds}::text[]) as t(page_id), (select ${workspace.accountId}::uuid as account_id) w`);
  return new Map(rows.map(({ pageId, cards }) => [pageId, cards ?? []]));
}

async function itemOf(scene: Scene, found: Found, known: KnownCard[]): Promise<ToldItem> {
  const { workspace } = scene;
  const { rule, page, mark, isKnown } = found;
  const decision = await decide(scene, found);
  const seen = { workspace, snapshot: null, known, news: null };
  const cards = await planPageCards(seen, page, [rule], [decision]);
  const { created } = withCards({ created: [decision], changed: [] }, cards);
  return {
    ruleId: rule.id,
    mark: isKnown ? mark : null,
    reminding: remindingOf(scene, rule.schedule),
    turn: turnOf(scene, page.id),
    plan: { ...emptyPlan(null), created, living: cards.moves },
  };
}

function remindingOf({ database }: Scene, schedule: Schedule): ToldItem['reminding'] {
  if ('every' in schedule) return null;
  const propertyId = 'propertyId' in schedule ? schedule.propertyId : null;
  return { databaseId: database.id, propertyId, days: schedule.days };
}

/** A substitute for the turn of a page, because the clock has none; `pageId` is empty for a summary. */
export const turnOf = ({ workspace, databaseTime }: Scene, pageId: string): ToldItem['turn'] => ({
  workspaceId: workspace.id,
  pageId,
  version: 0,
  leasedUntil: new Date(0),
  workspace,
  snapshotVersion: null,
  loadedAt: databaseTime(),
});

/** The event for a decision of the clock. There is one decision for each rule, `what` and time. */
export const eventOf = (databaseId: string, what: string, at: Date) => ({
  id: `clock:${what}`,
  type: 'clock',
  authors: [],
  botAuthors: [],
  updatedProperties: [],
  occurredAt: at,
  receivedAt: at,
  databaseId,
  parentKind: null,
  parentId: null,
});

async function decide(
  scene: Scene,
  { rule, run, page, mark, finding, isKnown }: Found,
): Promise<NewDecision> {
  const { workspace, database, clock, databaseTime } = scene;
  // A repeated run may know by then, and its reminder is another decision.
  const what = `${page.id}:${mark}${isKnown ? '' : ':unknown'}`;
  const event = eventOf(database.id, what, run.nominalAt);
  const dated = 'propertyId' in rule.schedule ? page.values.get(rule.schedule.propertyId) : undefined;
  const told = 'propertyId' in rule.schedule ? rule.schedule.propertyId : '';
  const summary = toSummary(
    page,
    dated ? [{ propertyId: told, name: dated.name, before: null, after: dated }] : [],
  );
  const base = toDecision(rule, event, isKnown ? 'message' : 'condition_unknown', summary);
  if (!isKnown) return base;
  const now = databaseTime();
  const asOfNow = asOf(finding, dateInZone(now, clock.timeZone));
  const telling = { event, changes: [], finding: asOfNow, reminder: reminderOfRule(rule, database) };
  const tellAt = tellLaterAt(rule, clock, now);
  if (isToPeople(rule)) {
    return {
      ...base,
      ...(await tellPeople(scene, rule, page, { ...telling, id: base.id, summary, tellAt })),
    };
  }
  const message = await composeMessage(workspace, rule, page, telling);
  if (tellAt) {
    const later = { ...summary, later: toDigestDetails(rule, page, message) };
    return { ...base, outcome: 'gathered', tellAt, sealedSummary: sealSummary(base.id, later) };
  }
  if (keepsCards(rule)) return { ...base, living: await composeLiving(workspace, rule, page, telling) };
  return { ...base, sealedBody: sealMessage(base.id, message), rollUp: rule.rollUp };
}
