import { earlierHashes } from '@/lib/crypto';
import type { Account, TrialHolderKind } from '@/lib/db/generated/client';
import type { KeyedHash } from './keyed-hash';

// The purpose under which persons were hashed before there was a hash key.
const EARLIER_PURPOSE = 'spent-trial';

/** Someone or something that gets one trial, with the id that identifies it. */
export interface TrialHolder {
  kind: TrialHolderKind;
  id: string;
}

export type Person = Pick<Account, 'subject' | 'discordUserId'>;

/** The person behind an account: the Discord user, whatever the form of the subject; otherwise the subject itself. */
export const personOf = ({ subject, discordUserId }: Person): TrialHolder => ({
  kind: 'person',
  id: discordUserId ?? subject,
});

/** The hash under which a holder's trial is kept. */
export const trialHash = (keyedHash: KeyedHash, { kind, id }: TrialHolder): string =>
  keyedHash(id, `trial:${kind}`);

/** The hashes under which a person's trial may be kept from before there was a hash key. */
export const earlierHashesOf = (person: Person): string[] =>
  earlierHashes(personOf(person).id, EARLIER_PURPOSE);
