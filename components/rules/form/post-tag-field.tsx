'use client';

import { Field, fieldAria } from '@/components/ui/field';
import { NativeSelect } from '@/components/ui/native-select';
import { isolate } from '@/lib/bidi';
import { givesTags } from '@/lib/features/matching/words';
import type { Channel } from '@/lib/features/servers/schema';
import type { Property } from '@/lib/features/workspaces/schema';
import type { RuleFormValues } from './rule-terms';

const NO_TAG = { value: '', label: 'No tag' };

/** Chooses the property that provides the tag of a forum's posts. */
export function PostTagField({
  tagPropertyId,
  onChange,
  properties,
  channel,
  warning,
}: {
  tagPropertyId: string | undefined;
  onChange: (changed: Partial<RuleFormValues>) => void;
  properties: Property[];
  channel: Channel;
  /** The problem with the property; null for none. */
  warning: string | null;
}) {
  const tags = properties.filter(givesTags);
  return (
    <Field id="rule-tag" label="Tag of a post" hint={tagHint(channel)} warning={warning}>
      <NativeSelect
        id="rule-tag"
        {...fieldAria('rule-tag', { hint: true, warning })}
        value={tags.find(({ id }) => id === tagPropertyId)?.id ?? ''}
        onValueChange={(id) => onChange({ destination: { kind: 'forum', ...(id && { tagPropertyId: id }) } })}
        placeholder="No tag"
        options={[
          ...(channel.needsTag ? [] : [NO_TAG]),
          ...tags.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
    </Field>
  );
}

const MAX_NAMED = 5;

function tagHint({ tags, needsTag }: Channel): string {
  const more = tags.length - MAX_NAMED;
  const named = [...tags.slice(0, MAX_NAMED).map(isolate), ...(more > 0 ? [`${more} more`] : [])].join(', ');
  const which = named
    ? `A value gives the tag of the same name, if the bot can set one there: ${named}.`
    : 'There is no tag here that the bot can set.';
  return needsTag ? `${which} Every post needs a tag here: a page without one is not posted.` : which;
}
