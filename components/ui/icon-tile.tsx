import type { LucideIcon } from 'lucide-react';
import { cn } from '@/lib/client/class-names';

const tones = {
  blurple: 'bg-blurple-soft text-blurple-text',
  ink: 'bg-sunken text-foreground',
  signal: 'bg-signal-soft text-signal',
  danger: 'bg-danger-soft text-danger',
};

/** An icon on a small coloured tile: blurple for Discord, ink for Notion, signal for everything between them. */
export function IconTile({ icon: Icon, tone }: { icon: LucideIcon; tone: keyof typeof tones }) {
  return (
    <span aria-hidden className={cn('grid size-9 shrink-0 place-items-center rounded-lg', tones[tone])}>
      <Icon className="size-4.5" />
    </span>
  );
}
