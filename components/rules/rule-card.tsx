'use client';

import { Pencil, Trash2 } from 'lucide-react';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { DatabaseBadge } from '@/components/ui/database-badge';
import { Switch } from '@/components/ui/switch';
import { cn } from '@/lib/client/class-names';
import { count } from '@/lib/client/format';
import type { Rule } from '@/lib/features/rules/schema';
import { LastDelivery } from './last-delivery';
import { useRuleChanges } from './rule-changes';
import { RuleWire } from './rule-wire';

function condition(rule: Rule): string | null {
  if (rule.eventType === 'page_created') return null;
  const watched = `Watches ${count(rule.watchedProperties.length, 'property', 'properties')}`;
  return rule.statusTo.length > 0 ? `${watched}, when the status is ${rule.statusTo.join(' or ')}` : watched;
}

export function RuleCard({
  rule,
  onEdit,
  onDelete,
}: {
  rule: Rule;
  onEdit: () => void;
  onDelete: () => void;
}) {
  const { toggle } = useRuleChanges();
  const name = `${rule.databaseName} to #${rule.channelName}`;
  const when = condition(rule);
  return (
    <li
      aria-label={name}
      className="rounded-xl border bg-surface px-5 py-4 transition-colors duration-150 hover:border-border-strong"
    >
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <div className={cn('min-w-0 flex-1 basis-80 transition-colors', !rule.enabled && 'text-muted')}>
          <RuleWire
            database={rule.databaseName}
            channel={rule.channelName}
            enabled={rule.enabled}
            deliveredAt={rule.lastDelivery?.state === 'sent' ? rule.lastDelivery.at : null}
          />
        </div>
        <div className="flex items-center gap-1">
          <Switch
            checked={rule.enabled}
            onCheckedChange={(enabled) => void toggle(rule.id, enabled)}
            label={`Enable ${name}`}
          />
          <Button
            variant="ghost"
            size="icon"
            className="ml-2"
            aria-label={`Edit rule ${name}`}
            onClick={onEdit}
          >
            <Pencil aria-hidden />
          </Button>
          <Button variant="ghost" size="icon" aria-label={`Delete rule ${name}`} onClick={onDelete}>
            <Trash2 aria-hidden />
          </Button>
        </div>
      </div>
      <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2 text-muted text-xs">
        <DatabaseBadge type={rule.databaseType} />
        <Badge variant="outline">{rule.eventType === 'page_created' ? 'Page Created' : 'Page Updated'}</Badge>
        {when ? <span>{when}</span> : null}
        <span className="sm:ml-auto">
          <LastDelivery enabled={rule.enabled} delivery={rule.lastDelivery} />
        </span>
      </div>
    </li>
  );
}
