import { isolate } from '@/lib/bidi';
import type { Rule } from '@/lib/features/rules/schema';
import type { Server } from '@/lib/features/servers/schema';
import type { Workspace } from '@/lib/features/workspaces/schema';

/** A connection that no longer works. */
export interface LostConnection {
  service: 'Discord' | 'Notion';
  /** The page on which to connect it again. */
  href: '/discord' | '/notion';
  problem: string;
}

/** A problem that stops rules until a person acts. */
export interface Trouble {
  key: string;
  kind: 'blocked' | 'broken';
  title: string;
  reason: string;
  /** How to fix it; null if that is unknown. */
  fix: string | null;
  rules: Rule[];
  /** The lost connection, if that is the problem. */
  lost?: LostConnection;
}

const describeBlocked = ({ channelId, place }: Rule) =>
  channelId === null ? `Cannot write to ${isolate(place)}` : `Cannot post in ${isolate(place)}`;

/** The connections that are lost. */
export function findLost(
  server: Server | null | undefined,
  workspace: Workspace | null | undefined,
): LostConnection[] {
  const lost: LostConnection[] = [];
  if (server?.problem) lost.push({ service: 'Discord', href: '/discord', problem: server.problem });
  if (workspace?.problem) lost.push({ service: 'Notion', href: '/notion', problem: workspace.problem });
  return lost;
}

/**
 * The problems that stop rules, each once with all the rules that it stops: first the lost connections, even those that
 * stop no rule, then the others in the order of the rules. A rule names one reason, but every lost connection stops it.
 */
export function findTroubles(rules: Rule[], lost: LostConnection[]): Trouble[] {
  const isStopped = ({ health: { state, reason } }: Rule) =>
    state === 'blocked' && lost.some(({ problem }) => problem === reason);
  const stopped = rules.filter(isStopped);
  const troubles = new Map<string, Trouble>();
  for (const each of lost) {
    const told = { title: 'Connection lost', reason: each.problem, fix: null };
    troubles.set(each.href, { key: each.href, kind: 'blocked', ...told, rules: stopped, lost: each });
  }
  for (const rule of rules) {
    const { state, reason, fix } = rule.health;
    if ((state !== 'blocked' && state !== 'broken') || isStopped(rule)) continue;
    const isBlocked = state === 'blocked';
    const key = `${state} ${isBlocked ? (rule.channelId ?? rule.place) : ''} ${reason}`;
    const known = troubles.get(key);
    if (known) known.rules.push(rule);
    else {
      const title = isBlocked ? describeBlocked(rule) : 'Changed in Notion';
      troubles.set(key, { key, kind: state, title, reason: reason ?? '', fix, rules: [rule] });
    }
  }
  return [...troubles.values()];
}
