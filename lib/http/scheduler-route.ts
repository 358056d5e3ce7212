import { createHmac } from 'node:crypto';
import { env } from '@/lib/env';
import { AppError } from '@/lib/errors';
import { hasKey } from './bearer-key';
import { openRoute } from './open-route';

const LABEL = 'pagewire scheduler';

/** The key that a scheduler must present, derived from the session secret so that nobody has to manage another one. */
export function schedulerKey(): string {
  return createHmac('sha256', env().NEXTAUTH_SECRET).update(LABEL).digest('hex');
}

/** A handler that only a scheduler may call, with its key as the bearer token. */
export function schedulerRoute(handler: () => Promise<unknown>) {
  return openRoute(async (request) => {
    if (!hasKey(request, schedulerKey())) throw new AppError('unauthorized', 'The key is wrong or missing.');
    return handler();
  });
}
