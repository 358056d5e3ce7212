'use client';

import { Checkbox } from '@/components/ui/checkbox';
import { Field, fieldAria } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { NativeSelect } from '@/components/ui/native-select';
import type { CardMode, RuleTerms } from '@/lib/features/matching/schema';
import { isClockEvent, isToPeople } from '@/lib/features/matching/words';
import { ActionFields, type MoreProps } from './action-fields';
import { inUse, type RuleFormValues } from './rule-terms';
import { RuleTiming } from './rule-timing';

const MAX_NAME = 80;

const CARDS: { value: CardMode; label: string }[] = [
  { value: 'each', label: 'One for each event' },
  { value: 'living', label: 'One for each page, with a thread' },
  { value: 'quiet', label: 'One for each page, without a thread' },
];

/** The same choices in a forum, where each page has one post. */
const REPLIES: { value: CardMode; label: string }[] = [
  { value: 'each', label: 'A whole card for each later event' },
  { value: 'living', label: 'One line for each later event' },
  { value: 'quiet', label: 'One silent line for each later event' },
];

const REPLY_HINTS: Record<CardMode, string> = {
  each: 'The post says how the page is now. Below it each later event is told by a card of its own.',
  living: 'The post says how the page is now. Below it each later event is one line.',
  quiet:
    'The post says how the page is now. Below it each later event is one line that notifies and pings nobody.',
};

const HINTS: Record<CardMode, string> = {
  each: 'Each event is posted as a card of its own.',
  living:
    'The card is edited, so that it always shows the page as it is now. Each later event is a line in its thread. The first line counts as a notification, the others do not.',
  quiet:
    'The card is edited, so that it always shows the page as it is now. Later events ping nobody, and edits do not count.',
};

const TO_PEOPLE: Record<CardMode, string> = {
  each: 'Each event is a message of its own.',
  living: '',
  quiet:
    'The message about a page is edited when something else is told about it, which makes no sound. Edits do not count.',
};

const SIZES: { value: RuleTerms['size']; label: string; hint: string }[] = [
  { value: 'full', label: 'Full card', hint: 'With fields and buttons' },
  { value: 'compact', label: 'One line', hint: 'For phones' },
];

const ONE_LINE = 'One line says who did what to which page, with a link to it.';

const FLOOD =
  'After ten cards within five minutes, one card counts the rest and lists them behind a button, until there was none for five minutes. It pings nobody.';
const FLOOD_TO_PEOPLE =
  'After ten messages to a person within five minutes, the rest come together in one message five minutes later.';

/** Settings that few rules need. Digests and lists have no cards, so settings of cards are hidden for them. */
export function RuleMoreFields({ values, onChange, properties, problems }: MoreProps) {
  return (
    <>
      <Field
        id="rule-name"
        label="Name"
        hint="Stands in the list, on cards and in Activity instead of where the rule leads."
      >
        <Input
          id="rule-name"
          value={values.name ?? ''}
          maxLength={MAX_NAME}
          autoComplete="off"
          onChange={(event) => onChange({ name: event.target.value || null })}
          {...fieldAria('rule-name', { hint: true })}
        />
      </Field>
      <RuleTiming values={values} onChange={onChange} />
      {hasCards(values) ? (
        <CardFields values={values} onChange={onChange} properties={properties} problems={problems} />
      ) : null}
    </>
  );
}

const hasCards = (values: RuleFormValues) =>
  values.eventType !== 'summary' && inUse(values).timing.kind === 'now';

function CardFields({ values, onChange, properties, problems }: MoreProps) {
  const inForum = values.destination.kind === 'forum';
  const isPeople = isToPeople(values);
  // Direct messages have no threads.
  const card = isPeople && values.card === 'living' ? 'quiet' : values.card;
  const ofPlace = isPeople ? CARDS.filter(({ value }) => value !== 'living') : CARDS;
  const options = inForum ? REPLIES : ofPlace;
  const hints = isPeople ? TO_PEOPLE : HINTS;
  return (
    <>
      {isClockEvent(values.eventType) ? null : (
        <Field
          id="rule-cards"
          label={inForum ? 'Replies' : 'Cards'}
          hint={(inForum ? REPLY_HINTS : hints)[card]}
        >
          <NativeSelect
            id="rule-cards"
            {...fieldAria('rule-cards', { hint: true })}
            value={card}
            onValueChange={(chosen) => onChange({ card: chosen as CardMode })}
            placeholder={options[0]?.label ?? ''}
            options={options}
          />
        </Field>
      )}
      <Field
        id="rule-size"
        label="Size"
        hint={isPeople ? `${ONE_LINE} It has no fields.` : `${ONE_LINE} It has no fields and no buttons.`}
      >
        <NativeSelect
          id="rule-size"
          {...fieldAria('rule-size', { hint: true })}
          value={values.size}
          onValueChange={(size) => onChange({ size: size as RuleTerms['size'] })}
          placeholder="Full card"
          options={SIZES}
        />
      </Field>
      {values.size === 'compact' && !isPeople ? null : (
        <ActionFields values={values} onChange={onChange} properties={properties} problems={problems} />
      )}
      <Checkbox
        id="rule-roll-up"
        label="Count cards that come in a flood"
        hint={isPeople ? FLOOD_TO_PEOPLE : FLOOD}
        checked={values.rollUp}
        onCheckedChange={(rollUp) => onChange({ rollUp })}
      />
    </>
  );
}
