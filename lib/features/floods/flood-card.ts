import type { APIActionRowComponent, APIButtonComponentWithCustomId } from 'discord-api-types/v10';
import { texts } from '@/lib/bot-texts';
import { fitEscaped } from '@/lib/discord-text';
import type { MessageBody } from '@/lib/integrations/discord/discord-messages';

const ROW = 1;
const BUTTON = 2;
const SECONDARY = 2;
const MAX_RULE = 300;

/** The message that counts the cards of a flood. `rule` says in words what the rule posts. It mentions nobody. */
export function buildFloodCard(floodId: string, count: number, rule: string): MessageBody {
  const name = fitEscaped(rule.replace(/\s+/g, ' '), MAX_RULE);
  const row: APIActionRowComponent<APIButtonComponentWithCustomId> = {
    type: ROW,
    components: [{ type: BUTTON, style: SECONDARY, label: texts.showFlood, custom_id: `flood:${floodId}` }],
  };
  return {
    content: texts.floodCount(count, name),
    components: [row],
    allowed_mentions: { parse: [] },
  };
}
