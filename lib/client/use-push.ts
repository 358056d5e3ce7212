import { useRouter } from 'next/navigation';
import { createContext, startTransition, type TransitionStartFunction, use } from 'react';

/** How a page is asked for: whoever provides it learns that the page is on its way. */
export const Departure = createContext<TransitionStartFunction>(startTransition);

/** Goes to one of our pages, without a question about input. */
export function usePush(): (href: string) => void {
  const router = useRouter();
  const start = use(Departure);
  return (href) => start(() => router.push(href));
}
