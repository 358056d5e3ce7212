import { api } from './api';
import { errorText } from './error-text';
import { log } from './log';

/** Makes the server read Discord or Notion again, and passes on the result. Returns why that failed, or null. */
export async function lookAgain<T>(path: string, onRead: (read: T) => void): Promise<string | null> {
  try {
    onRead(await api<T>(path, 'POST'));
    return null;
  } catch (error) {
    log.error('Failed to refresh', error);
    return errorText(error, 'It could not be looked at now. Try again.', 'No answer. Try again.');
  }
}
