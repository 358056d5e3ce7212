import { runStatement } from '@/lib/db/database';
import { log } from '@/lib/log';
import { type AnewRemark, postAnewSql } from './post-anew-sql';
import type { AboutCard, StandingCard } from './standing-card';

/**
 * Makes the post of a new card out of an edit whose card is not in Discord, because somebody deleted it there or because
 * it was never sent. Does so once: not if the page has another card by now, or a newer edit has replaced this one.
 */
export async function postAnew(message: AboutCard, card: StandingCard, remark: AnewRemark): Promise<void> {
  const posted = await runStatement(postAnewSql(message, card, remark));
  if (posted.length > 0) log.info({ messageId: message.id, remark }, 'card posted anew');
}
