import { isolate } from '@/lib/bidi';
import type { Authors, Mentions } from '@/lib/features/matching/schema';

/** The names of all people and roles that can be chosen, by id. */
export interface PeopleNames {
  people: Map<string, string>;
  roles: Map<string, string>;
  users: Map<string, string>;
}

const MAX_NAMED = 2;

/** Whose work a rule posts and whom it pings. A clock's work has no author; a rule to people pings nobody. */
export function describePeople(
  { authors, mentions }: { authors: Authors | null; mentions: Mentions | null },
  names: PeopleNames,
): string {
  const done = authors ? [describeAuthors(authors, names)] : [];
  return [...done, ...(mentions ? [describePings(mentions, names)] : [])].join(' ');
}

function describeAuthors({ mode, people, bots }: Authors, names: PeopleNames): string {
  const named = people.map((id) => names.people.get(id) ?? 'somebody who left');
  if (mode === 'only')
    return `Only what ${list([...named, ...(bots ? ['bots'] : [])], 'or') || 'nobody'} did.`;
  const without = [...(mode === 'except' ? named : []), ...(bots ? [] : ['bots'])];
  return without.length > 0 ? `What anyone but ${list(without, 'or')} did.` : 'What anyone did.';
}

const PINGED: Record<Mentions['people'], string[]> = {
  concerned: ['the people on the card'],
  assignees: ['the assignees'],
  none: [],
};

function describePings({ people, roleIds, userIds }: Mentions, names: PeopleNames): string {
  const pinged = [
    ...PINGED[people],
    ...roleIds.map((id) => names.roles.get(id) ?? '@a role'),
    ...userIds.map((id) => names.users.get(id) ?? 'somebody'),
  ];
  return `Pings ${list(pinged, 'and') || 'nobody'}.`;
}

function list(names: string[], word: 'and' | 'or'): string {
  const shown = names.slice(0, names.length > MAX_NAMED + 1 ? MAX_NAMED : names.length);
  const rest = names.length - shown.length;
  const named = shown.map(isolate);
  const all = rest > 0 ? [...named, `${rest} others`] : named;
  return all.length > 1 ? `${all.slice(0, -1).join(', ')} ${word} ${all.at(-1)}` : (all[0] ?? '');
}
