import type { LucideIcon } from 'lucide-react';
import { foldText } from '@/lib/fold-text';

/** An entry of the palette: a place to go to, or something to do. */
export interface Entry {
  id: string;
  label: string;
  /** A quieter second part, such as why the entry cannot be chosen. */
  hint?: string | undefined;
  /** Other words by which the entry is found. */
  words?: string;
  icon: LucideIcon;
  /** Where it leads; absent for something to do. */
  href?: string;
  disabled?: boolean;
  run: () => void;
}

export interface EntryGroup {
  heading: string;
  entries: Entry[];
}

const MAX_OF_A_GROUP = 10;

/**
 * The entries that contain every word of the query, at most ten per group; those whose label begins with it come first.
 * Empty groups are left out.
 */
export function findEntries(groups: EntryGroup[], query: string): EntryGroup[] {
  const words = foldText(query).split(/\s+/).filter(Boolean);
  const start = words.join(' ');
  const isFirst = ({ label }: Entry) => foldText(label).startsWith(start);
  return groups
    .map(({ heading, entries }) => ({
      heading,
      entries: entries
        .filter(({ label, hint = '', words: more = '' }) => {
          const text = foldText(`${label} ${hint} ${more}`);
          return words.every((word) => text.includes(word));
        })
        .toSorted((one, other) => Number(isFirst(other)) - Number(isFirst(one)))
        .slice(0, MAX_OF_A_GROUP),
    }))
    .filter(({ entries }) => entries.length > 0);
}
