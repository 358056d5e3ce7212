import { texts } from '@/lib/bot-texts';
import type { MessageBody } from '@/lib/integrations/discord/discord-messages';
import type { Summary } from '../calendar/schema';
import { describeSchedule } from '../calendar/words';
import { buttonRow } from '../cards/buttons';
import { buildSummary, type ListedPage } from '../cards/summary-card';
import { ruleInWords } from '../cards/words';
import { notifyIdOf } from '../letters/notify-setting';
import type { RuleTerms } from '../matching/schema';

/** What the message of a summary shows of its rule. */
type ListingRule = Pick<RuleTerms, 'name' | 'mentions'> & { channelName: string };

interface Composed {
  sourceName: string;
  schedule: Summary;
  pages: ListedPage[];
  /** The id under which the pages are kept that the message does not show. */
  listId: string;
}

/** The message of a summary for a channel, where it pings those whom the rule always pings. */
export const composeForChannel = (rule: ListingRule, { listId, ...composed }: Composed): MessageBody =>
  buildSummary({
    ...shownOf(rule, `#${rule.channelName}`, composed),
    users: rule.mentions.userIds,
    roleIds: rule.mentions.roleIds,
    moreId: `summary:${listId}:1`,
    hasMenu: true,
  });

/** The message of a summary for a person, with the button that ends such messages. It pings nobody. */
export function composeForPerson(
  rule: ListingRule,
  { listId, ...composed }: Composed,
  linkId: string,
): MessageBody {
  const body = buildSummary({
    ...shownOf(rule, null, composed),
    users: [],
    roleIds: [],
    moreId: `summary-dm:${listId}:1`,
    hasMenu: false,
  });
  const stop = buttonRow(texts.stopNotifying, notifyIdOf(linkId, 'off'));
  return { ...body, components: [...(body.components ?? []), stop], allowed_mentions: { parse: [] } };
}

const shownOf = (
  { name }: ListingRule,
  place: string | null,
  { sourceName, schedule, pages }: Omit<Composed, 'listId'>,
) => ({
  ruleName: ruleInWords(name, sourceName, place),
  sourceName,
  pages,
  when: describeSchedule(schedule, { property: () => '' }),
});
