import { db } from '@/lib/db/database';
import type { Rule as RuleRow } from '@/lib/db/generated/client';
import { postsInForum } from '../matching/kept-cards';
import { termsOf } from '../matching/terms';
import { isToPeople } from '../matching/words';
import { lastSeenChannels } from '../servers/read-guild';
import type { RuleProblem } from './schema';

/**
 * Why the cards of rules get no thread although the rules ask for one, by rule id, as far as the permissions were last
 * seen. Does not ask Discord.
 */
export async function findThreadProblems(
  accountId: string,
  rules: RuleRow[],
): Promise<Map<string, RuleProblem[]>> {
  const threaded = rules.filter((rule) => startsThreads(termsOf(rule)));
  const servers = threaded.length > 0 ? await db().discordServer.findMany({ where: { accountId } }) : [];
  const channels = servers.flatMap(lastSeenChannels);
  return new Map(
    threaded.map(({ id: ruleId, channelId: id }) => {
      const why = channels.find((channel) => channel.id === id)?.threadProblem;
      const text = `Later events are on the cards only. ${why}`;
      return [ruleId, why ? [{ part: 'card', id: 'living', text }] : []];
    }),
  );
}

const startsThreads = (terms: ReturnType<typeof termsOf>) =>
  terms.card === 'living' && !isToPeople(terms) && !postsInForum(terms);
