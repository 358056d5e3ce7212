import { keyedHashes } from '@/lib/crypto';
import { db, type Transaction } from '@/lib/db/database';

const PURPOSE = 'spent-trial';

interface Person {
  subject: string;
  discordUserId: string | null;
}

export interface SpentTrial {
  trialEndsAt: Date;
  deletedAt: Date;
}

/** The trial that a person had in an account they deleted; null when they never had one. */
export async function findSpentTrial(person: Person): Promise<SpentTrial | null> {
  return db().spentTrial.findFirst({
    where: { personHash: { in: hashesOf(person) } },
    orderBy: { deletedAt: 'desc' },
  });
}

/** Remembers, in the deletion of an account, that its person's trial is spent; nothing else about them. */
export async function keepSpentTrial(
  tx: Transaction,
  account: Person & { trialEndsAt: Date },
  deletedAt: Date,
): Promise<void> {
  const [personHash] = hashesOf(account);
  const { trialEndsAt } = account;
  await tx.spentTrial.upsert({
    where: { personHash },
    create: { personHash, trialEndsAt, deletedAt },
    update: { trialEndsAt, deletedAt },
  });
}

// The Discord user behind any of our connections; a subject that names none stands for itself.
const hashesOf = ({ subject, discordUserId }: Person) => keyedHashes(discordUserId ?? subject, PURPOSE);
