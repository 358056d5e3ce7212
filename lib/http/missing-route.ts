import { AppError } from '@/lib/errors';
import { openRoute } from './open-route';

/** A handler of paths that nothing else answers. */
export function missingRoute() {
  return openRoute(async () => {
    throw new AppError('not_found', 'There is no such path.');
  });
}
