import { cva, type VariantProps } from 'class-variance-authority';
import { LoaderCircle } from 'lucide-react';
import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { cn } from '@/lib/client/class-names';

export const buttonClass = cva(
  'inline-flex max-w-full shrink-0 select-none items-center justify-center gap-2 rounded-lg py-1 font-medium transition-colors duration-150 disabled:pointer-events-none disabled:not-aria-busy:border-transparent disabled:not-aria-busy:bg-hover disabled:not-aria-busy:text-muted aria-busy:opacity-70 [&_svg]:size-4 [&_svg]:shrink-0',
  {
    variants: {
      variant: {
        primary: 'bg-signal text-on-signal hover:bg-signal-hover forced-colors:border',
        outline: 'border border-border-strong bg-surface text-foreground hover:bg-hover',
        ghost: 'text-muted hover:bg-hover hover:text-foreground',
        danger: 'bg-danger text-on-danger hover:bg-danger-hover forced-colors:border',
        quietDanger: 'border border-border-strong bg-surface text-danger hover:bg-danger-soft',
        discord: 'bg-blurple text-white hover:bg-blurple-hover forced-colors:border',
      },
      size: {
        sm: 'min-h-8 px-3 text-sm',
        md: 'min-h-9 px-3.5 text-sm',
        lg: 'min-h-11 px-5 text-base',
        icon: 'size-8',
      },
    },
    defaultVariants: { variant: 'primary', size: 'md' },
  },
);

type ButtonProps = ComponentProps<'button'> &
  VariantProps<typeof buttonClass> & {
    busy?: boolean;
    /** Replaces the label while busy. The button keeps the width of the longer of the two. */
    busyLabel?: ReactNode;
  };

// Also keeps a form from being sent. A busy button still takes the click, which would otherwise move the focus to what
// lies below it.
const doNothing = (event: MouseEvent) => event.preventDefault();

export function Button({
  className,
  variant,
  size,
  busy = false,
  busyLabel,
  disabled,
  onClick,
  children,
  type = 'button',
  ...props
}: ButtonProps) {
  return (
    <button
      type={type}
      className={cn(buttonClass({ variant, size }), className)}
      disabled={disabled}
      // Disabling it as well would lose the focus for good.
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? doNothing : onClick}
      {...props}
    >
      {busyLabel === undefined ? (
        children
      ) : (
        <span className="grid place-items-center">
          <span className={cn('col-start-1 row-start-1 inline-flex items-center gap-2', busy && 'invisible')}>
            {children}
          </span>
          <span
            className={cn('col-start-1 row-start-1 inline-flex items-center gap-2', !busy && 'invisible')}
            aria-hidden={!busy}
          >
            <LoaderCircle className="animate-spin" aria-hidden />
            {busyLabel}
          </span>
        </span>
      )}
    </button>
  );
}
