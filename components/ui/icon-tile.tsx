import type { LucideIcon } from 'lucide-react';
import { cn } from '@/lib/client/class-names';

const tones = {
  blurple: 'bg-blurple-soft text-blurple-text',
  ink: 'bg-sunken text-foreground',
  signal: 'bg-signal-soft text-signal',
  danger: 'bg-danger-soft text-danger',
};

/** An icon on a small coloured tile: blurple for Discord, ink for Notion, signal for what flows between them. */
export function IconTile({
  icon: Icon,
  tone,
  large = false,
}: {
  icon: LucideIcon;
  tone: keyof typeof tones;
  large?: boolean;
}) {
  return (
    <span
      aria-hidden
      className={cn('grid shrink-0 place-items-center rounded-lg', large ? 'size-11' : 'size-9', tones[tone])}
    >
      <Icon className="size-4.5" />
    </span>
  );
}
