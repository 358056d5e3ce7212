import { Prisma, runStatement } from '@/lib/db/database';
import { hasRun, sameAs } from '@/lib/db/planner-hints';
import { SWITCHED_OFF } from '../decisions/change-decisions';
import { DROP_PAUSED_CARDS } from '../decisions/stored-cards';
import { dropLockedSql } from '../messages/drop-messages';
import { isPausedSql } from '../messages/is-paused';
import { keepRulesSql } from '../tenancy/keep-rules';
import { type ChannelTurn, holdsTurnSql } from './claim-channels';

/**
 * Deletes what waits in a channel for rules that are off, and records in the log that it is not posted. What Discord may
 * have been asked to post is left, as are edits.
 */
export async function dropPaused(turn: ChannelTurn): Promise<void> {
  await runStatement(Prisma.sql`
    with owner as (
      select id from account where id = ${turn.account.id}::uuid and ${holdsTurnSql(turn)} for key share
    ), kept as (
      ${keepRulesSql(Prisma.sql`account_id = (select id from owner) and not enabled`)}
    ), paused as (
      select m.id, m.at, m.account_id, m.source_id, m.decision_id
      from owner join message m on m.target_id = ${turn.channelId} and m.account_id ${sameAs('owner.id')}
      where m.state = 'waiting' and ${hasRun('kept')} and ${isPausedSql('m')}
      order by m.id for update of m
    ), dropped as (
      ${dropLockedSql('paused')}
    ), uncarded as (
      ${DROP_PAUSED_CARDS}
    )
    ${SWITCHED_OFF}`);
}
