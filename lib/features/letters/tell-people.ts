import type { Page } from '@/lib/integrations/notion/notion-page';
import type { DatabaseTime } from '@/lib/queue/database-clock';
import type { Clock } from '../calendar/calendar';
import { toLater } from '../cards/later';
import type { CardWorkspace, Told } from '../composing/compose-message';
import { type Summary, sealSummary } from '../matching/summary';
import { composeFor, type LetterRule, type Post, writeLetters } from './write-letters';

/** Where something was found out. */
interface Scene {
  workspace: CardWorkspace;
  clock: Clock;
  databaseTime: DatabaseTime;
}

/** A decision of a rule to people, with what its log shows. */
interface Deciding extends Told {
  id: string;
  summary: Summary;
  /** When quiet hours end; null outside of them. */
  tellAt: Date | null;
}

/** What a decision of a rule to people becomes, in the place of a card in a channel. */
export interface ToldPeople extends Post {
  sealedSummary: Uint8Array;
  /** The digest of a rule has none of it: each person has a digest of their own. */
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
  const later = { ...summary, later: toLater(rule, page, card) };
  return { ...post, sealedSummary: sealSummary(decided.id, later), tellAt: null };
}
