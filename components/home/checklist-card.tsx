import { Check } from 'lucide-react';
import { Card, CardTitle } from '@/components/ui/card';
import { Link } from '@/components/ui/link';
import { cn } from '@/lib/client/class-names';
import { docsHref } from '@/lib/client/docs-href';
import { useConfig } from '@/lib/client/resources';
import type { AppConfig, Checklist } from '@/lib/features/account/schema';

const stepsOf = (config: AppConfig | undefined): { key: keyof Checklist; text: string; href: string }[] => [
  { key: 'botInstalled', text: 'Discord bot installed', href: '/setup' },
  { key: 'workspaceConnected', text: 'Notion workspace connected', href: '/setup' },
  { key: 'accountLinked', text: 'Your Notion account linked', href: '/settings' },
  { key: 'firstRuleCreated', text: 'First notification rule created', href: '/rules' },
  {
    key: 'firstTaskCreated',
    text: 'First task created via Discord',
    href: docsHref(config, '/features/commands'),
  },
];

function Item({ done, text, href, last }: { done: boolean; text: string; href: string; last: boolean }) {
  return (
    <li className="relative flex items-center gap-3 py-1.5">
      {last ? null : (
        <span
          aria-hidden
          className={cn('absolute top-1/2 left-[9px] h-full w-0.5', done ? 'bg-wire' : 'bg-border-strong')}
        />
      )}
      <span
        aria-hidden
        className={cn(
          'relative grid size-5 shrink-0 place-items-center rounded-full border-2',
          done ? 'border-wire bg-signal-soft text-signal' : 'border-border-strong bg-surface',
        )}
      >
        {done ? <Check className="size-3" strokeWidth={3} /> : null}
      </span>
      {done ? (
        <span className="text-muted">
          {text}
          <span className="sr-only"> (done)</span>
        </span>
      ) : (
        <Link href={href} className="font-medium underline-offset-4 hover:underline">
          {text}
        </Link>
      )}
    </li>
  );
}

/** The steps to the first task, while some are open. Each open step links to where it is done. */
export function ChecklistCard({ checklist }: { checklist: Checklist }) {
  const { data: config } = useConfig();
  const steps = stepsOf(config);
  const done = steps.filter((item) => checklist[item.key]).length;
  return (
    <Card className="p-5" aria-labelledby="checklist-title">
      <div className="flex items-baseline justify-between gap-3">
        <CardTitle id="checklist-title">Getting Started</CardTitle>
        <p className="nums text-muted text-xs">
          {done}/{steps.length} completed
        </p>
      </div>
      <ol className="mt-3">
        {steps.map((item, index) => (
          <Item
            key={item.key}
            done={checklist[item.key]}
            text={item.text}
            href={item.href}
            last={index === steps.length - 1}
          />
        ))}
      </ol>
      <a
        href={docsHref(config, '/getting-started')}
        className="mt-3 inline-block font-medium text-signal underline-offset-4 hover:underline"
      >
        View Setup Guide
      </a>
    </Card>
  );
}
