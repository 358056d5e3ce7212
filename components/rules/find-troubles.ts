import type { Rule } from '@/lib/features/rules/schema';

/** Something that stops rules until somebody does something about it. */
export interface Trouble {
  key: string;
  kind: 'blocked' | 'broken';
  title: string;
  reason: string;
  /** How to fix it, where that can be said. */
  fix: string | null;
  rules: [Rule, ...Rule[]];
}

const describeBlocked = ({ channelId, place }: Rule) =>
  channelId === null ? `Cannot write to ${place}` : `Cannot post in ${place}`;

/**
 * What stops rules, each trouble once with all the rules that it stops, in the order of the rules. `lostConnections`
 * are the problems of the server and of the workspace: what they stop is one trouble, whatever the channel.
 */
export function findTroubles(rules: Rule[], lostConnections: string[]): Trouble[] {
  const troubles = new Map<string, Trouble>();
  for (const rule of rules) {
    const { state, reason, fix } = rule.health;
    if (state !== 'blocked' && state !== 'broken') continue;
    const isLost = lostConnections.includes(reason ?? '');
    const isOfChannel = state === 'blocked' && !isLost;
    const key = `${state} ${isOfChannel ? (rule.channelId ?? rule.place) : ''} ${reason}`;
    const known = troubles.get(key);
    if (known) known.rules.push(rule);
    else {
      const title = isLost ? 'Connection lost' : isOfChannel ? describeBlocked(rule) : 'Gone from Notion';
      troubles.set(key, { key, kind: state, title, reason: reason ?? '', fix, rules: [rule] });
    }
  }
  return [...troubles.values()];
}
