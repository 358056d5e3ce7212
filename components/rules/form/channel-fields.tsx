'use client';

import { Field, fieldAria } from '@/components/ui/field';
import { lateSection } from '@/components/ui/late';
import { NativeSelect } from '@/components/ui/native-select';
import { Skeleton } from '@/components/ui/skeleton';
import type { Server } from '@/lib/features/servers/schema';
import type { Property } from '@/lib/features/workspaces/schema';
import { channelOptions, placeHint } from './channel-options';
import { channelProblem, ofChannel, type RuleFormValues } from './rule-terms';

const PostTagField = lateSection(
  () => import('./post-tag-field').then((module) => module.PostTagField),
  () => <Skeleton className="h-16" />,
);

interface ChannelProps {
  values: RuleFormValues;
  onChange: (changed: Partial<RuleFormValues>) => void;
  properties: Property[];
  server: Server;
  /** The problem with the property that provides the tag; null for none. */
  warning: string | null;
}

/** Where a rule posts: a channel, or a forum with the property that provides a post's tag. */
export function ChannelFields({ values, onChange, properties, server, warning }: ChannelProps) {
  const { channelId, destination, source } = values;
  const unreachable = channelProblem(values, server);
  const hint = unreachable ? undefined : placeHint(server, channelId);
  const channel = server.channels.find(({ id }) => id === channelId);
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
        <PostTagField
          tagPropertyId={destination.tagPropertyId}
          onChange={onChange}
          properties={properties}
          channel={channel}
          warning={warning}
        />
      ) : null}
    </>
  );
}
