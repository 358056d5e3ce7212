import { runStatement } from '@/lib/db/database';
import { log } from '@/lib/log';
import type { AboutCard, CurrentCard } from './current-card';
import { type AnewRemark, postAnewSql } from './post-anew-sql';

/**
 * Turns an edit whose card is not in Discord, because somebody deleted it or it was never sent, into the post of a new
 * card. Does nothing if the page has another card by now, or a newer edit has replaced this one.
 */
export async function postAnew(message: AboutCard, card: CurrentCard, remark: AnewRemark): Promise<void> {
  const posted = await runStatement(postAnewSql(message, card, remark));
  if (posted.length > 0) log.info({ messageId: message.id, remark }, 'card posted anew');
}
