import { useRouter } from 'next/navigation';
import { leave } from './use-leave-guard';

/** Goes to one of our pages as a link would: not while offline, and not without a question about input. */
export function useGo(): (href: string) => void {
  const router = useRouter();
  return (href) => {
    const { pathname, search, hash } = new URL(href, window.location.href);
    const push = () => router.push(pathname + search + hash);
    if (!navigator.onLine) return;
    if (pathname === window.location.pathname) return push();
    leave(() => {
      document.getElementById('content')?.focus();
      push();
    });
  };
}
