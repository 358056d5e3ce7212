'use client';

import { ChevronRight, Copy, Hash, Pencil, Trash2, User } from 'lucide-react';
import { useState } from 'react';
import { useRuleChanges } from '@/components/rules/rule-changes';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { DatabaseBadge } from '@/components/ui/database-badge';
import { Switch } from '@/components/ui/switch';
import { isolate } from '@/lib/bidi';
import { cn } from '@/lib/client/class-names';
import { EVENT_NAMES } from '@/lib/features/matching/words';
import type { Rule } from '@/lib/features/rules/schema';
import { LastCard, RuleState } from './rule-health';
import { RuleWire } from './rule-wire';

const SOURCE_NAMES = { database: 'DB', page: 'PAGES', workspace: 'EVERYTHING' } as const;

const LIVE: Rule['health']['state'][] = ['posting', 'idle', 'settling'];

/** The parts of a rule whose problems keep no card from arriving, and what stands before these. */
const MILD: [Rule['problems'][number]['part'], string][] = [
  ['mentions', 'Pings'],
  ['card', 'Threads'],
];

/** A rule as a row: what it watches, where it posts, its state, its last card, and its actions. */
export function RuleRow({
  rule,
  failure,
  onFailure,
  onOpen,
  onEdit,
  onDelete,
}: {
  rule: Rule;
  /** Why the last change of the rule failed; null if it did not. */
  failure: string | null;
  onFailure: (failure: string | null) => void;
  onOpen: () => void;
  onEdit: () => void;
  onDelete: () => void;
}) {
  const { duplicate, toggle } = useRuleChanges();
  const [isCopying, setIsCopying] = useState(false);
  // Changes once there is a copy, so that the next press makes another.
  const [request, setRequest] = useState(() => crypto.randomUUID());

  async function copy() {
    setIsCopying(true);
    const failed = await duplicate(rule.id, request);
    onFailure(failed);
    if (failed === null) setRequest(crypto.randomUUID());
    setIsCopying(false);
  }

  const { source, sourceName, databaseType, eventType, channelId, place, watching, enabled, lastDelivery } =
    rule;
  const name = rule.name ?? `${sourceName} to ${place}`;
  const isToPeople = channelId === null;
  const Mark = isToPeople ? User : Hash;
  const isLive = enabled && LIVE.includes(rule.health.state);
  return (
    <li
      aria-label={name}
      data-row={rule.id}
      className={cn(
        'grid grid-cols-[minmax(0,1fr)_fit-content(7rem)_auto] items-center gap-x-3 gap-y-1 px-4 py-2.5 transition-colors duration-150 hover:bg-hover',
        'md:grid-cols-[minmax(0,1fr)_auto_auto] md:px-5 xl:col-span-full xl:grid-cols-subgrid xl:gap-x-5 xl:py-1.5',
        !enabled && 'text-muted',
      )}
    >
      <div className="min-w-0 items-center justify-between gap-x-3 max-xl:col-span-full max-xl:row-start-1 max-xl:pr-12 max-xl:md:flex">
        {/* A long name is truncated so that most of the line shows what the rule does. */}
        <p
          className={cn(
            'grid min-w-0 @max-[16rem]:block',
            rule.name === null
              ? 'grid-cols-[minmax(0,max-content)_minmax(0,max-content)]'
              : 'grid-cols-[fit-content(40%)_minmax(0,max-content)]',
          )}
          title={`${rule.name === null ? '' : `${isolate(rule.name)} · `}${isolate(sourceName)}: ${watching}`}
        >
          <span
            dir="auto"
            className="truncate font-medium @max-[16rem]:whitespace-normal @max-[16rem]:wrap-anywhere"
          >
            {rule.name ?? sourceName}
          </span>
          <span className="overflow-hidden text-ellipsis whitespace-pre text-muted @max-[16rem]:whitespace-pre-wrap @max-[16rem]:wrap-anywhere">
            {rule.name === null ? null : (
              <>
                {' · '}
                <bdi>{sourceName}</bdi>
              </>
            )}
            : {watching}
          </span>
        </p>
        <p className="flex gap-1.5 max-md:sr-only xl:mt-0.5">
          {databaseType ? <DatabaseBadge type={databaseType} /> : <Badge>{SOURCE_NAMES[source.kind]}</Badge>}
          <Badge variant="outline">{EVENT_NAMES[eventType]}</Badge>
        </p>
      </div>
      <div
        className={cn(
          'flex min-w-0 items-center gap-2 max-xl:row-start-2 @max-[16rem]:col-span-full',
          isToPeople && 'max-md:col-span-2',
        )}
      >
        <RuleWire
          isLive={isLive}
          deliveredAt={lastDelivery?.state === 'sent' ? lastDelivery.at : null}
          className="max-md:w-7 max-[359px]:hidden"
        />
        <span className="flex min-w-0 items-center">
          <Mark
            className={cn('mr-0.5 size-3.5 shrink-0', isLive ? 'text-blurple-text' : 'text-muted')}
            aria-hidden
          />
          {/* Two lines of this height are no higher than the buttons beside them. */}
          <span
            dir="auto"
            className="xl:wrap-anywhere line-clamp-2 break-words text-left leading-4"
            title={place}
          >
            {isToPeople ? null : <span className="sr-only">#</span>}
            {place.replace(/^#/, '')}
          </span>
        </span>
      </div>
      <button
        type="button"
        onClick={onOpen}
        className={cn(
          'group flex min-h-8 items-center gap-1 rounded-md text-left text-muted text-xs hover:text-foreground max-xl:row-start-2 md:gap-2 xl:col-span-2 xl:grid xl:grid-cols-subgrid xl:gap-5 @max-[16rem]:col-span-full @max-[16rem]:row-start-3',
          // The words for people have no room beside it on a phone.
          isToPeople && 'max-md:col-span-2 max-md:row-start-3',
        )}
      >
        <span className="sr-only">Recent deliveries of {name}:</span>
        <RuleState rule={rule} />
        <span className="flex min-w-0 items-center gap-1">
          <span className="max-md:sr-only">
            <span className="sr-only"> · </span>
            <span className="inline-block first-letter:uppercase">
              <LastCard rule={rule} />
            </span>
          </span>
          <ChevronRight className="size-3.5 shrink-0 opacity-60 group-hover:opacity-100" aria-hidden />
        </span>
      </button>
      <span className="flex justify-end max-xl:col-start-3 max-xl:row-start-1">
        <Switch
          checked={enabled}
          onCheckedChange={(isOn) => void toggle(rule.id, isOn).then(onFailure)}
          label={`Enable ${name}`}
        />
      </span>
      <div className="flex items-center max-xl:col-start-3 max-xl:row-start-2 max-xl:-mr-2 @max-[16rem]:col-span-full @max-[16rem]:col-start-1 @max-[16rem]:row-start-4 @max-[16rem]:-ml-2">
        <Button variant="ghost" size="icon" aria-label={`Edit rule ${name}`} onClick={onEdit}>
          <Pencil aria-hidden />
        </Button>
        <Button
          variant="ghost"
          size="icon"
          aria-label={`Duplicate rule ${name}`}
          busy={isCopying}
          onClick={() => void copy()}
        >
          <Copy aria-hidden />
        </Button>
        <Button variant="ghost" size="icon" aria-label={`Delete rule ${name}`} onClick={onDelete}>
          <Trash2 aria-hidden />
        </Button>
      </div>
      {MILD.map(([part, word]) => {
        const texts = rule.problems.flatMap((problem) => (problem.part === part ? [problem.text] : []));
        return texts.length > 0 ? (
          <p key={part} className="col-span-full text-warning text-xs">
            {word}: {texts.join(' ')}
          </p>
        ) : null;
      })}
      {failure ? (
        <p role="alert" className="col-span-full text-danger text-xs">
          {failure}
        </p>
      ) : null}
    </li>
  );
}
