import { randomUUID } from 'node:crypto';
import { texts } from '@/lib/bot-texts';
import { transaction } from '@/lib/db/database';
import type { ListedPage } from '../cards/summary-card';
import { emptyPlan, type NewDecision, toDecision } from '../changes/turn-plan';
import { postOfSeveral } from '../forums/post-shape';
import { nextMorning } from '../letters/digest-time';
import { findLinked, outcomeOf, recipientsOf } from '../letters/recipients';
import type { Letter } from '../letters/write-letters';
import { isToPeople } from '../matching/words';
import { sealMessage } from '../messages/sealed-body';
import { composeForChannel, composeForPerson } from './compose-summary';
import type { PagesOfSummary } from './pages-of-summary';
import { keepList } from './summary-list';
import { eventOf, type Scene, turnOf } from './tell-found';
import { tellSql } from './tell-sql';

/** The pages of a summary whose message does not show all of them. */
interface KeptList {
  messageId: string;
  pages: ListedPage[];
}

/** Sends the summary of a run, once however often it runs; none if it is empty and the rule skips empty ones. */
export async function tellSummary(scene: Scene, summary: PagesOfSummary): Promise<void> {
  const { rule, run } = summary.due;
  const { pages } = summary;
  if (pages.length === 0 && summary.schedule.skipEmpty) return;
  const { workspace, database } = scene;
  const { accountId } = workspace;
  const event = eventOf(database.id, `summary:${run.nominalAt.toISOString()}`, run.nominalAt);
  const title = texts.digestOf(texts.digestPages.summary(pages.length), database.name);
  const about = { title, url: database.url, changes: [], moreChanges: 0 };
  const base = toDecision(rule, event, 'message', about);
  const { decision, lists } = isToPeople(rule)
    ? await toPeople(scene, summary, base)
    : toChannel(scene, summary, base);
  const turn = turnOf(scene, '');
  const plan = { ...emptyPlan(null), created: [decision] };
  await transaction(async (tx) => {
    const item = { ruleId: rule.id, mark: event.id, reminding: null, turn, plan };
    const saved = await tx.$queryRaw<unknown[]>(tellSql([item], { workspaceId: workspace.id, accountId }));
    if (saved.length === 0) return;
    for (const { messageId, pages: all } of lists) {
      await keepList(tx, { messageId, accountId, ruleId: rule.id }, all);
    }
  });
}

function toChannel(
  { database }: Scene,
  { due: { rule }, schedule, pages }: PagesOfSummary,
  base: NewDecision,
): { decision: NewDecision; lists: KeptList[] } {
  const sourceName = database.name;
  const body = composeForChannel(rule, { sourceName, schedule, pages, listId: base.id });
  const sealedBody = sealMessage(base.id, postOfSeveral(rule, sourceName, body));
  return { decision: { ...base, sealedBody }, lists: [{ messageId: base.id, pages }] };
}

/**
 * Sends each person the pages whose property names them, or all pages. Nobody caused it, so nobody is left out. A
 * summary is a list already, so people with digests get it separately, unless it is hourly.
 */
async function toPeople(
  scene: Scene,
  summary: PagesOfSummary,
  base: NewDecision,
): Promise<{ decision: NewDecision; lists: KeptList[] }> {
  const { workspace, clock, databaseTime, database } = scene;
  const { rule, run } = summary.due;
  const { destination } = rule;
  const { pages, schedule } = summary;
  const userIds = [...new Set(pages.flatMap((page) => page.userIds))];
  const named = destination.kind === 'people' ? destination.propertyId : '';
  const values = new Map([[named, { name: '', type: 'people', key: '', text: '', userIds }]]);
  const linked = await findLinked(workspace.accountId, destination, [{ values }]);
  const all = recipientsOf(linked, eventOf(database.id, '', run.nominalAt));
  const now = databaseTime();
  const morning = nextMorning(clock, now);
  const lists: KeptList[] = [];
  const letters = all.map(({ link, fate: usual }): Letter => {
    const fate = usual === 'gathered' && schedule.every !== 'hour' ? 'message' : usual;
    const to = { discordUserId: link.discordUserId, linkId: link.id, outcome: fate };
    const none = { ...to, messageId: null, sealedBody: null, tellAt: null };
    if (fate !== 'message') return fate === 'gathered' ? { ...none, tellAt: morning } : none;
    const messageId = lists.length === 0 ? base.id : randomUUID();
    const mine =
      destination.kind === 'people'
        ? pages.filter((page) => page.userIds.includes(link.notionUserId))
        : pages;
    lists.push({ messageId, pages: mine });
    const composed = { sourceName: database.name, schedule, pages: mine, listId: messageId };
    const letter = composeForPerson(rule, composed, link.id);
    return { ...to, messageId, sealedBody: sealMessage(messageId, letter), tellAt: null };
  });
  const outcome = lists.length > 0 ? 'message' : outcomeOf(linked, all);
  const gathered = letters.find((letter) => letter.outcome === 'gathered');
  const tellsIn = lists.length > 0 ? base.id : (gathered?.linkId ?? null);
  return { decision: { ...base, outcome, letters, tellsIn }, lists };
}
