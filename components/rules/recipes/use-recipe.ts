import { useEffect, useState } from 'react';
import type { RuleFormValues } from '@/components/rules/form/rule-terms';
import type { RecipeTerms } from './recipes';

interface Use {
  terms: RecipeTerms;
  said: string;
  watched: string;
}

/**
 * Fills the form from recipes. Entries of a person are replaced only after they agree; until then `waiting` is true. A
 * channel that nobody has chosen is still to be chosen, and so is the page if the recipe watches one; the focus moves
 * there, or to the recipient if the recipe writes to people.
 */
export function useRecipe({
  start,
  values,
  onFill,
  isChannelChosen,
}: {
  /** The values with which the form started. */
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
    // A recipient filled in by an earlier recipe is not kept for the next one.
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
    /** How often recipes have filled the form. */
    uses: count,
    /** The number of the last use if it left the page to be chosen and the source is unchanged since; otherwise 0. */
    pageAsked: fillsPage && last?.terms.source === values.source ? count : 0,
    /** What the form was filled with for its current source; null for nothing. */
    said: last?.watched === watchedBy(values) ? last.said : null,
    /** Whether the last use left the channel to be chosen. */
    leavesChannel: last?.terms.destination === undefined,
  };
}

// Only the kind for other sources: a page chosen later is the one that the recipe left open.
const watchedBy = ({ databaseId, source }: RuleFormValues) => source?.kind ?? databaseId;

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
