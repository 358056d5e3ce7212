import { AppError } from '@/lib/errors';
import { openRoute } from './open-route';

export const NO_SUCH_PATH = 'There is no such path.';

/** A handler for paths that no other route answers. */
export function missingRoute() {
  return openRoute(async () => {
    throw new AppError('not_found', NO_SUCH_PATH);
  });
}
