import { Alert } from './alert';
import { RetryButton } from './retry-button';

/** Replaces something that could not be read, with a button to try again. */
export function ReadFailed({
  onRetry,
  variant = 'danger',
  className,
  children,
}: {
  onRetry: () => Promise<unknown>;
  variant?: 'danger' | 'warning';
  className?: string;
  children: string;
}) {
  return (
    <Alert variant={variant} urgent className={className} action={<RetryButton onRetry={onRetry} />}>
      {children}
    </Alert>
  );
}
