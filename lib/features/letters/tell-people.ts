import type { Page } from '@/lib/integrations/notion/notion-page';
import type { DatabaseTime } from '@/lib/queue/database-clock';
import type { Clock } from '../calendar/calendar';
import { toDigestDetails } from '../cards/digest-details';
import type { CardContent, CardWorkspace } from '../composing/compose-message';
import { type Summary, sealSummary } from '../matching/summary';
import { composeFor, type LetterRule, type Post, writeLetters } from './write-letters';

/** What is known of the account for which something is told. */
interface Scene {
  workspace: CardWorkspace;
  clock: Clock;
  databaseTime: DatabaseTime;
}

/** A decision of a rule to people, with what the rule's log shows of it. */
interface Deciding extends CardContent {
  id: string;
  summary: Summary;
  /** When the rule's next digest is due, or quiet hours end; null when it is told at once. */
  tellAt: Date | null;
}

/** What a decision of a rule to people becomes, instead of a card in a channel. */
export interface ToldPeople extends Post {
  sealedSummary: Uint8Array;
  /** Always null, because each person has their own digest and the rule has none. */
  tellAt: null;
}

/** Tells people of an event, each as they want it. */
export async function tellPeople(
  { workspace, clock, databaseTime }: Scene,
  rule: LetterRule,
  page: Page,
  { summary, tellAt, ...decided }: Deciding,
): Promise<ToldPeople> {
  const card = await composeFor(workspace, rule, page, decided);
  const now = databaseTime();
  const post = await writeLetters(workspace, rule, page, { ...decided, card, tellAt, clock, now });
  const later = { ...summary, later: toDigestDetails(rule, page, card) };
  return { ...post, sealedSummary: sealSummary(decided.id, later), tellAt: null };
}
