import { sleep } from './retry-after';

const TRIES = 3;
const PAUSE_MS = 1000;

/**
 * Loads a part of our script that is loaded only when needed, and asks for it again when it does not arrive: offline, as
 * soon as the browser is back, otherwise a few times. Then it throws, for example because the server has another version
 * by now. React never loads a part again that has failed once.
 */
export async function loadScript<T>(load: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await load();
    } catch (error) {
      if (!navigator.onLine) {
        await backOnline();
        tries = 0;
      } else if (tries < TRIES) {
        await sleep(PAUSE_MS);
      } else {
        throw error;
      }
    }
  }
}

const backOnline = () =>
  new Promise<void>((resolve) => window.addEventListener('online', () => resolve(), { once: true }));
