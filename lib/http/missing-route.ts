import { AppError } from '@/lib/errors';
import { openRoute } from './open-route';

/** A handler for paths that no other route answers. */
export function missingRoute() {
  return openRoute(async () => {
    throw new AppError('not_found', 'There is no such path.');
  });
}
