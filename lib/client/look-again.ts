import type { Server } from '@/lib/features/servers/schema';
import type { Workspace } from '@/lib/features/workspaces/schema';
import { api } from './api';
import { errorText } from './error-text';
import { log } from './log';
import { useServer, useWorkspace } from './resources';

/** A function that makes the server read Discord again, and returns why that failed, or null. */
export function useLookAtDiscord() {
  const { mutate } = useServer();
  return () =>
    lookAgain<Server>('/api/app/discord/server/refresh', (read) => mutate(read, { revalidate: false }));
}

/** A function that makes the server read Notion again, and returns why that failed, or null. */
export function useLookAtNotion() {
  const { mutate } = useWorkspace();
  return () =>
    lookAgain<Workspace>('/api/app/notion/workspace/refresh', (read) => mutate(read, { revalidate: false }));
}

async function lookAgain<T>(path: string, onRead: (read: T) => Promise<unknown>): Promise<string | null> {
  try {
    await onRead(await api<T>(path, 'POST'));
    return null;
  } catch (error) {
    log.error('Failed to refresh', error);
    return errorText(error, 'It could not be refreshed. Try again.', 'No answer. Try again.');
  }
}
