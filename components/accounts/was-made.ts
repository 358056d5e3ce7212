import { isAnswered } from '@/lib/client/error-text';
import type { AccountLinks } from '@/lib/features/links/schema';

/** Whether a decision was made although its answer was lost: read again, the lists no longer have what it was about. */
export async function wasMade(
  error: unknown,
  id: string,
  read: () => Promise<AccountLinks | undefined>,
): Promise<boolean> {
  if (isAnswered(error)) return false;
  const links = await read();
  return links ? [...links.pendingRequests, ...links.linkedAccounts].every((each) => each.id !== id) : false;
}
