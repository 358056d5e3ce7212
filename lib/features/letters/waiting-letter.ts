import { type Prisma, runStatement } from '@/lib/db/database';
import type { BillingState } from '../billing/quota';
import type { Clock } from '../calendar/calendar';
import { type AccountClock, clockOf } from '../calendar/clock-of';
import type { NotifyMode } from './notify-setting';
import { type LetterKey, letterStateSql, type TakenBack, takeBackSql } from './waiting-letter-sql';

/** What decides about a letter that is about to be sent. */
export interface LetterState {
  account: BillingState;
  clock: Clock;
  /** On the database's clock. */
  now: Date;
  guildId: string | null;
  /** Whether it is the person's digest. */
  isDigest: boolean;
  /** Whether its rule is switched off. */
  isOff: boolean;
  /** Whether it lists the pages that meet a rule's conditions, so that no digest has to gather it. */
  isSummary: boolean;
  linkId: string | null;
  notify: NotifyMode;
  inboxProblem: string | null;
  /** Whether the person was seen in the server lately. */
  isMember: boolean;
  /** Whether the rule rolls up and has recently sent the person as many separate messages as it may. */
  isTooMuch: boolean;
  /** Whether a later letter about the same page waits, which has the newer card. */
  isOutdated: boolean;
  /** Discord's id of the page's card, if the rule keeps one and it is still there. */
  cardId: string | null;
}

type StoredState = Omit<LetterState, 'clock'> & { clock: AccountClock };

/** What decides about a waiting letter now; undefined when its account is gone. */
export async function readLetterState(letter: LetterKey): Promise<LetterState | undefined> {
  const [state] = await runStatement<StoredState>(letterStateSql(letter));
  return state && { ...state, account: withDates(state.account), clock: clockOf(state.clock) };
}

// The account comes as JSON, which has no dates.
const withDates = (account: BillingState): BillingState => ({
  ...account,
  trialEndsAt: new Date(account.trialEndsAt),
  createdAt: new Date(account.createdAt),
  paidPeriodStart: account.paidPeriodStart && new Date(account.paidPeriodStart),
  paidPeriodEnd: account.paidPeriodEnd && new Date(account.paidPeriodEnd),
});

/** Takes a waiting letter out of the outbox. Returns false when it may be on its way already. */
export async function takeBack(letter: LetterKey, back: TakenBack, holds: Prisma.Sql): Promise<boolean> {
  return (await runStatement(takeBackSql(letter, back, holds))).length > 0;
}
