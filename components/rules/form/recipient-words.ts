import { isolate } from '@/lib/bidi';
import type { AccountLink } from '@/lib/features/links/schema';

type Recipient = Pick<AccountLink, 'notion_display_name' | 'notify' | 'inbox_problem'>;

export const IN_DIRECT = 'In direct messages, never about what they did themselves.';

const HOW_TO_ASK = 'They can do so with /notion notify in Discord.';
const MAX_NAMED = 3;

/** Why a linked person gets no messages now; null if they do. */
export function whyUnreached({
  notion_display_name: name,
  notify,
  inbox_problem: problem,
}: Recipient): string | null {
  if (notify === 'off')
    return `${isolate(name)} has not said yes to direct messages, so nothing is sent yet. ${HOW_TO_ASK}`;
  return problem && `Discord does not deliver direct messages to ${isolate(name)}: ${problem}`;
}

/** How messages reach the people in a property, and which linked people get none yet. */
export function describeAsked(linked: Recipient[]): string {
  const silent = linked.filter(({ notify }) => notify === 'off');
  if (silent.length === 0) return IN_DIRECT;
  const named = silent.slice(0, MAX_NAMED).map((link) => isolate(link.notion_display_name));
  const rest = silent.length - named.length;
  const who = new Intl.ListFormat('en-GB').format([...named, ...(rest > 0 ? [`${rest} more`] : [])]);
  return `${IN_DIRECT} ${who} ${silent.length === 1 ? 'has' : 'have'} not said yes yet. ${HOW_TO_ASK}`;
}
