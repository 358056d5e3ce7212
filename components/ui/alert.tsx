import { cva, type VariantProps } from 'class-variance-authority';
import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '@/lib/client/class-names';

const alertClass = cva('flex items-start gap-3 rounded-lg border px-4 py-3', {
  variants: {
    variant: {
      info: 'border-border bg-sunken text-foreground',
      success: 'border-signal-line bg-signal-soft text-foreground',
      warning: 'border-warning-line bg-warning-soft text-warning',
      danger: 'border-danger-line bg-danger-soft text-danger',
    },
  },
  defaultVariants: { variant: 'info' },
});

const icons = { info: Info, success: CircleCheck, warning: TriangleAlert, danger: CircleAlert };

type AlertProps = VariantProps<typeof alertClass> & {
  title?: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  onDismiss?: () => void;
  /** For something that has just gone wrong: screen readers announce it at once. */
  urgent?: boolean;
  className?: string;
};

/** A message in a frame. */
export function Alert({ variant, title, children, action, onDismiss, urgent, className }: AlertProps) {
  const Icon = icons[variant ?? 'info'];
  // A text alone is lower than the button next to it, so both are centred vertically.
  const isButtonTaller = Boolean(action) && !title;

  return (
    <div role={urgent ? 'alert' : 'note'} className={cn(alertClass({ variant }), className)}>
      <Icon className={cn('size-4 shrink-0', isButtonTaller ? 'mt-2' : 'mt-0.5')} aria-hidden />
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-2">
        <div className={cn('min-w-0 flex-1 basis-48 break-words', isButtonTaller && 'py-1.5')}>
          {title ? <p className="font-semibold">{title}</p> : null}
          {children ? <div className="text-pretty">{children}</div> : null}
        </div>
        {action}
      </div>
      {onDismiss ? (
        <button
          type="button"
          onClick={onDismiss}
          aria-label="Dismiss"
          className={cn('-mx-1 rounded-md p-1 hover:bg-hover', isButtonTaller ? 'my-1' : '-my-1')}
        >
          <X className="size-4" aria-hidden />
        </button>
      ) : null}
    </div>
  );
}
