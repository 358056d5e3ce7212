import { texts } from '@/lib/bot-texts';
import { fitEscaped } from '@/lib/discord-text';
import type { MessageBody } from '@/lib/integrations/discord/discord-messages';
import { buttonRow } from '../cards/buttons';

const MAX_RULE = 300;

/** The message that counts the cards of a flood. `rule` says in words what the rule posts. It mentions nobody. */
export function buildFloodCard(floodId: string, count: number, rule: string): MessageBody {
  const name = fitEscaped(rule.replace(/\s+/g, ' '), MAX_RULE);
  return {
    content: texts.floodCount(count, name),
    components: [buttonRow(texts.showFlood, `flood:${floodId}`)],
    allowed_mentions: { parse: [] },
  };
}
