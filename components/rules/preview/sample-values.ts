import { isolate } from '@/lib/bidi';
import type { Authors } from '@/lib/features/matching/schema';
import type { Property, Workspace } from '@/lib/features/workspaces/schema';

const TEXT: Record<string, [string, string]> = {
  title: ['A page', 'An edited page'],
  rich_text: ['A first draft', 'A better sentence'],
  number: ['3', '5'],
  date: ['Nov 20, 2026', 'Nov 24, 2026'],
  checkbox: ['No', 'Yes'],
  url: ['example.com', 'example.com/new'],
  email: ['mira@example.com', 'jonas@example.com'],
  phone_number: ['+44 20 7946 0000', '+44 20 7946 0001'],
  people: ['Empty', 'Jonas Weber'],
  created_time: ['Nov 20, 2026', 'Nov 20, 2026'],
  last_edited_time: ['Nov 20, 2026', 'Nov 24, 2026'],
  unique_id: ['TASK-12', 'TASK-12'],
  relation: ['1 linked page', '2 linked pages'],
};

/** A person whose work a rule with these authors posts: the reader `me` if possible, else the first one named. */
export function sampleAuthor({ mode, people, bots }: Authors, users: Workspace['users'], me: string): string {
  const isMe = ({ name }: Workspace['users'][number]) => name === me;
  if (mode === 'anyone') return me;
  if (mode === 'except') {
    const others = users.filter(({ id }) => !people.includes(id));
    return others.some(isMe) || !users.some(isMe) ? me : (others[0]?.name ?? 'A guest');
  }
  const named = users.filter(({ id }) => people.includes(id));
  if (named.length === 0) return people.length === 0 && bots ? 'An integration' : 'A teammate';
  return (named.find(isMe) ?? named[0])?.name ?? 'A teammate';
}

const PERSONS = ['people', 'created_by', 'last_edited_by'];

/** A plausible value of the property, for the preview only. */
export function sampleValue(property: Property, person: string): string {
  if (PERSONS.includes(property.type)) return person;
  if (property.type === 'multi_select')
    return (
      property.options
        .slice(0, 2)
        .map((option) => option.name)
        .join(', ') || 'None'
    );
  return property.options[0]?.name ?? TEXT[property.type]?.[1] ?? 'A value';
}

/** A plausible change of the property. A status changes to one of `allowed`, if any are given. */
export function sampleChange(property: Property, allowed: string[]): { from: string; to: string } {
  const names = property.options.map((option) => option.name);
  if (names.length > 0) {
    const green = property.options.find((option) => option.color === 'green')?.name;
    const to = (property.isStatus ? allowed[0] : undefined) ?? green ?? names.at(-1) ?? '';
    return { from: names.find((name) => name !== to) ?? 'Empty', to };
  }
  const [from, to] = TEXT[property.type] ?? ['Before', 'After'];
  return { from, to };
}

/** The line above the card for these changes to a page. */
export function sampleSentence(person: string, changes: { name: string; to: string }[]): string {
  const [only, ...others] = changes;
  if (!only) return `${person} changed An edited page`;
  if (others.length === 0)
    return `${person} changed ${isolate(only.name)} of An edited page to ${isolate(only.to)}`;
  const parts = changes.slice(0, 3).map(({ name, to }) => `${isolate(name)} to ${isolate(to)}`);
  const last = changes.length > 3 ? `${changes.length - 3} more` : parts.pop();
  return `${person} changed ${parts.join(', ')} and ${last} on An edited page`;
}
