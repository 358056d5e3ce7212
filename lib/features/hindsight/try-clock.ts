import type { Account } from '@/lib/db/generated/client';
import type { TimeLeft } from '@/lib/time';
import { clockOf } from '../calendar/clock-of';
import { filteredBy } from '../matching/filters';
import type { WorkspaceAccess } from '../workspaces/notion-tokens';
import { findReach } from './find-reach';
import { judgeClock } from './judge-clock';
import type { TriedRule } from './past-views';
import { readNewest } from './read-pages';
import { toReport } from './report';
import type { Tried } from './schema';

interface Setting {
  account: Account;
  workspace: WorkspaceAccess;
  database: { id: string; name: string };
  rule: TriedRule;
  days: number;
  since: Date;
  now: Date;
}

const COUNT_UNKNOWN = 'It is unknown how many pages each summary would have listed.';

/**
 * What a clock rule would have posted in the last days, judged by its pages as they are now, because events do not fire
 * it. Throws AppError when Notion refuses the database.
 */
export async function tryClock(setting: Setting, left: TimeLeft): Promise<Tried> {
  const { account, workspace, database, rule, days, since, now } = setting;
  const clock = clockOf(account);
  const { schedule, destination } = rule;
  const dated = schedule && 'propertyId' in schedule ? [schedule.propertyId] : [];
  const naming = destination.kind === 'people' ? [destination.propertyId] : [];
  const propertyIds = new Set([...filteredBy(rule), ...dated, ...naming]);
  const { pages, isWhole } = await readNewest({ workspace, databaseId: database.id, propertyIds }, left);
  const reach = await findReach({ accountId: account.id, destination }, pages);
  const tried = { rule, sourceName: database.name, clock, since, now, reach, isWhole };
  const found = judgeClock(tried, pages);
  const looked = `In the time it has, it looked at the ${pages.length.toLocaleString('en-US')} pages that were edited last.`;
  return toReport({
    now,
    days,
    found,
    isCut: false,
    read: { pages: new Map(), lost: new Map(), looked: pages.length },
    rule,
    clock,
    notes: [...(isWhole ? [] : [looked]), ...(rule.eventType === 'summary' ? [COUNT_UNKNOWN] : [])],
  });
}
