import { leave } from './use-leave-guard';
import { usePush } from './use-push';

/** Goes to one of our pages as a link would: not while offline, and not without a question about input. */
export function useGo(): (href: string) => void {
  const push = usePush();
  return (href) => {
    const { pathname, search, hash } = new URL(href, window.location.href);
    const goOn = () => push(pathname + search + hash);
    if (!navigator.onLine) return;
    if (pathname === window.location.pathname) return goOn();
    leave(() => {
      document.getElementById('content')?.focus();
      goOn();
    });
  };
}
