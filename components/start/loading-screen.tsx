import { LogoMark } from '@/components/brand/logo';
import { PRODUCT } from '@/components/brand/product';

/** Fills the page while there is nothing else to show; without JavaScript, it says that this would not change. */
export function LoadingScreen({ text }: { text: string }) {
  return (
    <main className="grid min-h-dvh place-items-center p-6">
      <div role="status" className="noscript:hidden flex flex-col items-center gap-4">
        <LogoMark className="size-10 animate-pulse" />
        <p className="text-muted">{text}</p>
      </div>
      <p className="noscript:block hidden max-w-sm text-pretty text-center">
        {PRODUCT} needs JavaScript, which is off in this browser. Turn it on, then load this page again. The{' '}
        <a href="/docs" className="underline underline-offset-2">
          documentation
        </a>{' '}
        can be read without it.
      </p>
    </main>
  );
}
