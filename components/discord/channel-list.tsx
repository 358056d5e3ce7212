import { Check, Hash, Lock, MessagesSquare } from 'lucide-react';
import { Badge } from '@/components/ui/badge';
import { count } from '@/lib/client/format';
import type { Channel } from '@/lib/features/servers/schema';

type Group = { category: string | null; channels: Channel[] };

const GONE = 'Hidden or deleted';

function grouped(channels: Channel[]): Group[] {
  const groups: Group[] = [];
  // A server may have very many threads, so only those that rules use are listed.
  const shown = channels.filter(({ kind, usedInRules }) => kind !== 'thread' || usedInRules > 0);
  for (const channel of shown) {
    const category = channel.isGone ? GONE : channel.category;
    const last = groups.find((group) => group.category === category);
    if (last) last.channels.push(channel);
    else groups.push({ category, channels: [channel] });
  }
  return groups;
}

function ChannelRow({ channel, told }: { channel: Channel; told: string | null }) {
  const Icon = ['thread', 'forum', 'media'].includes(channel.kind) ? MessagesSquare : Hash;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-2.5">
      <span className="flex min-w-0 flex-1 basis-32 items-start gap-2">
        <Icon className="mt-0.5 size-4 shrink-0 text-muted" aria-hidden />
        <span className="wrap-anywhere flex min-w-0 flex-wrap items-baseline gap-x-2">
          <bdi className="font-medium">{channel.name}</bdi>
          {channel.parentName ? (
            <span className="text-muted text-xs">
              in #<bdi>{channel.parentName}</bdi>
            </span>
          ) : null}
        </span>
      </span>
      <span className="nums w-full pl-6 text-muted text-xs max-sm:order-1 sm:w-32 sm:pl-0">
        Used in {count(channel.usedInRules, 'rule')}
      </span>
      <span className="flex w-24 justify-end">
        {channel.botHasAccess ? (
          <Badge variant="signal">
            <Check aria-hidden />
            Accessible
          </Badge>
        ) : (
          <Badge variant="danger">
            <Lock aria-hidden />
            No Access
          </Badge>
        )}
      </span>
      {channel.accessProblem && channel.accessProblem !== told ? (
        <span className="wrap-anywhere order-2 w-full pl-6 text-danger text-xs">{channel.accessProblem}</span>
      ) : null}
    </li>
  );
}

/**
 * The channels under their categories, in Discord's order. Channels that only rules still know come last. Each says why
 * it has no access, unless that is what was told above.
 */
export function ChannelList({ channels, told }: { channels: Channel[]; told: string | null }) {
  return (
    <div className="border-t">
      {grouped(channels).map((group) => (
        <section key={group.category ?? ''} aria-label={group.category ?? 'Channels without a category'}>
          {group.category ? (
            <h3 className="wrap-anywhere border-b bg-sunken px-5 py-1.5 font-medium text-muted text-xs">
              <bdi>{group.category}</bdi>
            </h3>
          ) : null}
          <ul className="divide-y border-b last:border-b-0">
            {group.channels.map((channel) => (
              <ChannelRow key={channel.id} channel={channel} told={told} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
