import { texts } from '@/lib/bot-texts';
import type { MessageBody } from '@/lib/integrations/discord/discord-messages';
import { MAX_THREAD_NAME } from '@/lib/integrations/discord/discord-threads';
import { titleWords } from './line-text';

/** What an old card becomes once its page has a new one; the link to the new card is appended later. */
export const movedCard = (page: { title: string }): MessageBody => ({
  content: texts.cardGoesOn(titleWords(page.title, MAX_THREAD_NAME)),
  embeds: [],
  components: [],
  allowed_mentions: { parse: [] },
});
