import { setTimeout as sleep } from 'node:timers/promises';
import { completeValue } from '@/lib/integrations/notion/long-value';
import type { Page } from '@/lib/integrations/notion/notion-page';
import { NotionError } from '@/lib/integrations/notion/notion-request';
import { SECOND_MS } from '@/lib/time';
import { asItIs } from '../matching/conditions';
import { type FilteringRule, filteredBy, findRefusal } from '../matching/filters';
import { withNotion } from '../workspaces/notion-access';
import type { WorkspaceAccess } from '../workspaces/notion-tokens';

// Half of Notion's rate for a connection; the rest is for pages that people are editing.
const PAUSE_MS = 0.7 * SECOND_MS;

/** Waits, so that what reads much takes no more than half of Notion's rate. */
export const pause = (): Promise<void> => sleep(PAUSE_MS);

// How many calls one run makes for it, so that it ends within minutes: a job's place is shared with other accounts.
const MAX_CALLS = 300;
// So many of them mean that Notion answers nothing, and each may last until its timeout.
const MAX_FAILURES = 10;

/** Reads in full what Notion has cut of the values of pages that one run finds. */
export class PageCompletion {
  /** Why Notion did not answer about single values. */
  readonly failures: NotionError[] = [];
  private left = MAX_CALLS;

  constructor(private readonly workspace: WorkspaceAccess) {}

  /**
   * Completes the values that decide whether these rules tell the page, and whom they tell. What Notion does not show
   * stays cut, and so does what exceeds the limit of a run. Returns whether Notion answered; if not, it may later. After
   * several failures it is asked no more. Throws NotionError when it refuses any call now.
   */
  async complete(page: Page, judged: { rule: FilteringRule; at: Date }[]): Promise<boolean> {
    const ids = new Set(judged.flatMap(({ rule, at }) => cutOf(rule, page, at)));
    for (const id of ids) {
      // The last value is read to its end.
      if (this.left <= 0) return true;
      if (this.failures.length >= MAX_FAILURES) return false;
      try {
        await withNotion(this.workspace, (token) => completeValue(token, page, id, () => this.afterCall()));
      } catch (error) {
        if (!isFinal(error)) return this.noteFailure(error);
        await this.afterCall();
      }
    }
    return true;
  }

  private noteFailure(error: unknown): false {
    const isOfValue = error instanceof NotionError && error.isTransient && !error.isLimit;
    if (!isOfValue) throw error;
    this.failures.push(error);
    return false;
  }

  // A long value takes several calls.
  private afterCall(): Promise<void> {
    this.left -= 1;
    return pause();
  }
}

function cutOf(rule: FilteringRule, page: Page, at: Date): string[] {
  const refusal = findRefusal(rule, asItIs(page, at));
  if (page.isTrashed || (refusal !== null && refusal !== 'condition_unknown')) return [];
  const { destination } = rule;
  const ids = [
    ...(refusal === null ? [] : filteredBy(rule)),
    ...(destination.kind === 'people' ? [destination.propertyId] : []),
  ];
  return ids.filter((id) => page.values.get(id)?.isCut);
}

const isFinal = (error: unknown) =>
  error instanceof NotionError && !error.isTransient && !error.isUnauthorized;
