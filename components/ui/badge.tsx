import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps } from 'react';
import { cn } from '@/lib/client/class-names';

const badgeClass = cva(
  'inline-flex shrink-0 items-center gap-1 whitespace-nowrap rounded-md px-1.5 py-0.5 font-medium text-xs [&_svg]:size-3',
  {
    variants: {
      variant: {
        neutral: 'bg-sunken text-muted',
        outline: 'border border-border-strong text-muted',
        signal: 'bg-signal-soft text-signal',
        blurple: 'bg-blurple-soft text-blurple-text',
        warning: 'bg-warning-soft text-warning',
        danger: 'bg-danger-soft text-danger',
      },
    },
    defaultVariants: { variant: 'neutral' },
  },
);

export function Badge({
  className,
  variant,
  ...props
}: ComponentProps<'span'> & VariantProps<typeof badgeClass>) {
  return <span className={cn(badgeClass({ variant }), className)} {...props} />;
}
