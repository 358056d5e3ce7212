import type { ReactNode } from 'react';
import { Logo } from '@/components/brand/logo';

/** A single message in the middle of an otherwise empty page. */
export function MessageScreen({
  title,
  children,
  action,
  urgent = false,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  urgent?: boolean;
}) {
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-8 p-6">
      <Logo />
      <div
        role={urgent ? 'alert' : 'status'}
        className="w-full max-w-md rounded-xl border bg-surface px-6 py-8 text-center"
      >
        <h1 className="font-semibold text-lg">{title}</h1>
        {children ? (
          <div className="mt-2 space-y-2 text-pretty break-words text-muted">{children}</div>
        ) : null}
        {action ? <div className="mt-6 flex flex-wrap justify-center gap-2">{action}</div> : null}
      </div>
    </main>
  );
}
