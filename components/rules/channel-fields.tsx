'use client';

import { Field, fieldAria } from '@/components/ui/field';
import { NativeSelect } from '@/components/ui/native-select';
import type { Channel, Property, Server } from '@/lib/features/connections/schema';
import { channelOptions, placeHint } from './channel-options';
import { channelProblem, givesTags, ofChannel, type RuleFormValues } from './rule-terms';

const NO_TAG = { value: '', label: 'No tag' };

interface ChannelProps {
  values: RuleFormValues;
  onChange: (changed: Partial<RuleFormValues>) => void;
  properties: Property[];
  server: Server;
  /** What is wrong with the property that gives the tag; null for nothing. */
  tagWarning: string | null;
}

/** Where a rule posts: a channel, or a forum with the property that gives a post its tag. */
export function ChannelFields({ values, onChange, properties, server, tagWarning }: ChannelProps) {
  const { channelId, destination, source } = values;
  const unreachable = channelProblem(values, server);
  const hint = unreachable ? undefined : placeHint(server, channelId);
  const channel = server.channels.find(({ id }) => id === channelId);
  const chosen = destination.kind === 'forum' ? (destination.tagPropertyId ?? '') : '';
  const tags = properties.filter(givesTags);
  return (
    <>
      <Field id="rule-channel" label="Channel" hint={hint} warning={unreachable}>
        <NativeSelect
          id="rule-channel"
          {...fieldAria('rule-channel', { hint: hint !== undefined, warning: unreachable })}
          value={channelId}
          onValueChange={(id) => onChange(ofChannel(id, server))}
          placeholder="Select a channel"
          options={channelOptions(server, channelId)}
        />
      </Field>
      {destination.kind === 'forum' && channel && !source ? (
        <Field id="rule-tag" label="Tag of a post" hint={tagHint(channel)} warning={tagWarning}>
          <NativeSelect
            id="rule-tag"
            {...fieldAria('rule-tag', { hint: true, warning: tagWarning })}
            value={tags.some(({ id }) => id === chosen) ? chosen : ''}
            onValueChange={(id) =>
              onChange({ destination: { kind: 'forum', ...(id && { tagPropertyId: id }) } })
            }
            placeholder="No tag"
            options={[
              ...(channel.needsTag ? [] : [NO_TAG]),
              ...tags.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        </Field>
      ) : null}
    </>
  );
}

const MOST_NAMED = 5;

function tagHint({ tags, needsTag }: Channel): string {
  const more = tags.length - MOST_NAMED;
  const named = [...tags.slice(0, MOST_NAMED), ...(more > 0 ? [`${more} more`] : [])].join(', ');
  const which = named
    ? `A value gives the tag of the same name, if the bot can set one there: ${named}.`
    : 'There is no tag here that the bot can set.';
  return needsTag ? `${which} Every post needs a tag here: a page without one is not posted.` : which;
}
