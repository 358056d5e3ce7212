import { Prisma } from '@/lib/db/database';
import { echoSql } from '../echoes/echo-sql';
import type { EchoMove } from '../echoes/plan-echo';
import { withRefreshedCards } from '../living/living-sql';
import type { LivingMove } from '../living/plan-living';
import { wakeChannelsSql } from '../messages/queue-messages';

/**
 * Brings a page's living cards up to date, and the reply to the message from which it was made. One statement does both,
 * so that what still waits is dropped before any channel is woken.
 */
export const refreshPageSql = (pageId: string, edits: LivingMove[], echo: EchoMove | null): Prisma.Sql =>
  Prisma.sql`${withRefreshedCards(pageId, edits)}${echo ? echoSql([{ ...echo, index: 0 }]) : Prisma.empty}
    ${wakeChannelsSql(
      echo
        ? Prisma.sql`select target_id, account_id from moved union all select target_id, account_id from echoed`
        : Prisma.sql`select target_id, account_id from moved`,
    )}`;
