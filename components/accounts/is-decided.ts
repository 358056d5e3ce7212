import type { AccountLinks } from '@/lib/features/links/schema';

/** Whether a request or a link is no longer in the lists. */
export const isDecided = (now: AccountLinks | undefined, id: string): boolean =>
  now ? [...now.pendingRequests, ...now.linkedAccounts].every((each) => each.id !== id) : false;
