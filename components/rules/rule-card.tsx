'use client';

import { ChevronRight, Pencil, Trash2 } from 'lucide-react';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { DatabaseBadge } from '@/components/ui/database-badge';
import { Switch } from '@/components/ui/switch';
import { cn } from '@/lib/client/class-names';
import type { Rule } from '@/lib/features/rules/schema';
import { useRuleChanges } from './rule-changes';
import { RuleHealth } from './rule-health';
import { EVENT_NAMES, ruleCondition } from './rule-terms';
import { RuleTrouble } from './rule-trouble';
import { RuleWire } from './rule-wire';

export function RuleCard({
  rule,
  onOpen,
  onEdit,
  onDelete,
}: {
  rule: Rule;
  onOpen: () => void;
  onEdit: () => void;
  onDelete: () => void;
}) {
  const { toggle } = useRuleChanges();
  const name = `${rule.databaseName} to #${rule.channelName}`;
  const when = ruleCondition(rule);
  const isTrouble = rule.health.state === 'blocked' || rule.health.state === 'broken';
  return (
    <li
      aria-label={name}
      className="grid gap-x-6 gap-y-3 rounded-xl border bg-surface px-5 py-4 transition-colors duration-150 hover:border-border-strong sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center"
    >
      <div className={cn('min-w-0 transition-colors', !rule.enabled && 'text-muted')}>
        <RuleWire
          database={rule.databaseName}
          channel={rule.channelName}
          enabled={rule.enabled && rule.health.state !== 'blocked'}
          deliveredAt={rule.lastDelivery?.state === 'sent' ? rule.lastDelivery.at : null}
        />
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-3 text-muted text-xs sm:col-span-2">
        <DatabaseBadge type={rule.databaseType} />
        <Badge variant="outline">{EVENT_NAMES[rule.eventType]}</Badge>
        {when ? <span>{when}</span> : null}
        <span className="max-sm:w-full sm:ml-auto">
          <button
            type="button"
            onClick={onOpen}
            className="-mx-1.5 -my-1 inline-flex min-h-6 items-center gap-1 rounded-md px-1.5 py-1 text-left hover:bg-hover hover:text-foreground"
          >
            <span className="sr-only">Recent deliveries of {name}:</span>
            <RuleHealth rule={rule} brief={isTrouble} />
            <ChevronRight className="size-3.5 shrink-0" aria-hidden />
          </button>
        </span>
      </div>
      <div className="flex items-center gap-1 max-sm:border-t max-sm:pt-3 sm:col-start-2 sm:row-start-1">
        <Switch
          checked={rule.enabled}
          onCheckedChange={(enabled) => void toggle(rule.id, enabled)}
          label={`Enable ${name}`}
        />
        <Button
          variant="ghost"
          size="icon"
          className="ml-2 max-sm:ml-auto"
          aria-label={`Edit rule ${name}`}
          onClick={onEdit}
        >
          <Pencil aria-hidden />
        </Button>
        <Button variant="ghost" size="icon" aria-label={`Delete rule ${name}`} onClick={onDelete}>
          <Trash2 aria-hidden />
        </Button>
      </div>
      {isTrouble ? <RuleTrouble rule={rule} onRepair={onEdit} className="sm:col-span-2" /> : null}
    </li>
  );
}
