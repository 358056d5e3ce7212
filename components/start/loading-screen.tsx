import { LogoMark } from '@/components/brand/logo';

/** Fills the page while there is nothing else to show. */
export function LoadingScreen({ text }: { text: string }) {
  return (
    <main className="grid min-h-dvh place-items-center p-6">
      <div role="status" className="flex flex-col items-center gap-4">
        <LogoMark className="size-10 animate-pulse" />
        <p className="text-muted">{text}</p>
      </div>
    </main>
  );
}
