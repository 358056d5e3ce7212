import { Logo } from '@/components/brand/logo';
import { Skeleton } from '@/components/ui/skeleton';

/** The frame of the dashboard while the account's data loads. */
export function ShellSkeleton() {
  return (
    <div className="min-h-dvh shell:grid shell:grid-cols-[240px_minmax(0,1fr)]">
      <div className="hidden h-dvh flex-col border-r bg-sunken px-3 py-4 shell:flex">
        <span className="mb-6 px-2">
          <Logo />
        </span>
        <div className="flex-1 space-y-3 px-3 pt-2">
          {[52, 48, 62, 56, 74, 66, 50, 40].map((width) => (
            <div key={width} className="flex h-6.5 items-center gap-3">
              <Skeleton className="size-4 rounded-md" />
              <span style={{ width }}>
                <Skeleton className="h-3.5 rounded-md" />
              </span>
            </div>
          ))}
        </div>
      </div>
      <div className="flex h-14 items-center border-b px-4 shell:hidden">
        <Logo />
      </div>
      <main aria-busy="true">
        <p role="status" className="sr-only">
          Loading your account
        </p>
        <div className="mx-auto max-w-[1040px] px-4 py-6 sm:px-8 sm:py-10">
          <Skeleton className="h-8 w-56 rounded-md" />
          <Skeleton className="mt-3 h-4 w-80 max-w-full rounded-md" />
          <Skeleton className="mt-8 h-40 rounded-xl" />
          <Skeleton className="mt-4 h-56 rounded-xl" />
        </div>
      </main>
    </div>
  );
}
