import { useEffect, useState } from 'react';
import type { RuleFormValues } from '@/components/rules/form/rule-terms';
import type { RecipeTerms } from './recipes';

interface Use {
  terms: RecipeTerms;
  said: string;
  watched: string;
}

/**
 * Fills the form from recipes. What a person entered is replaced only once they say so: until then, `waiting` is true.
 * A channel that nobody chose is left to be chosen, as is the page where a recipe watches one; the focus goes there, or to
 * where a recipe says to whom the rule writes.
 */
export function useRecipe({
  start,
  values,
  onFill,
  isChannelChosen,
}: {
  /** What the form began with. */
  start: RuleFormValues;
  values: RuleFormValues;
  onFill: (values: RuleFormValues) => void;
  isChannelChosen: boolean;
}) {
  const [filled, setFilled] = useState<RecipeTerms>(start);
  const [guess, setGuess] = useState(isChannelChosen ? '' : start.channelId);
  const [waiting, setWaiting] = useState<Use | null>(null);
  const [uses, setUses] = useState<Use[]>([]);

  function fill(next: Use) {
    const { terms } = next;
    const databaseId = terms.source ? '' : values.databaseId;
    const channelId = values.channelId === guess ? '' : values.channelId;
    // To whom a recipe wrote is not to whom another one posts.
    const isOfRecipe = filled.destination && isSame(values.destination, filled.destination);
    const destination = terms.destination ?? (isOfRecipe ? start : values).destination;
    onFill({ ...values, ...terms, destination, databaseId, channelId });
    setFilled(terms);
    setGuess('');
    setWaiting(null);
    setUses([...uses, next]);
  }

  function use(terms: RecipeTerms, said: string) {
    const next = { terms, said, watched: watchedBy({ ...values, ...terms }) };
    const isEntered = (Object.keys(terms) as (keyof RecipeTerms)[]).some((term) =>
      [filled, start, terms].every((known) => !isSame(values[term], known[term])),
    );
    if (isEntered) setWaiting(next);
    else fill(next);
  }

  const last = uses.at(-1);
  const count = uses.length;
  const fillsPage = last?.terms.source !== undefined;
  const asked = last?.terms.destination ? 'rule-destination' : 'rule-channel';
  useEffect(() => {
    if (count > 0 && !fillsPage) document.getElementById(asked)?.focus();
  }, [count, fillsPage, asked]);

  return {
    use,
    waiting: waiting !== null,
    replace: () => waiting && fill(waiting),
    keep: () => setWaiting(null),
    /** How often the form was filled. */
    uses: count,
    /** Which use left the page to be chosen, as its number; 0 when none did, or the source was changed since. */
    pageAsked: fillsPage && last?.terms.source === values.source ? count : 0,
    /** With what the form was filled for what it watches; null for nothing. */
    said: last?.watched === watchedBy(values) ? last.said : null,
    /** Whether the last one left the channel to be chosen. */
    leavesChannel: last?.terms.destination === undefined,
  };
}

// A page that is chosen later is the one that the recipe left to be chosen.
const watchedBy = ({ databaseId, source }: RuleFormValues) => source?.kind ?? databaseId;

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
