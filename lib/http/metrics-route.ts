import { env } from '@/lib/env';
import { AppError } from '@/lib/errors';
import { METRICS_TYPE } from '@/lib/metrics';
import { hasKey } from './bearer-key';
import { limitAddress } from './limit-address';
import { NO_SUCH_PATH } from './missing-route';
import { respond } from './respond';

/**
 * A handler that returns metrics to callers with METRICS_TOKEN as the bearer token, and answers 404 while that is
 * unset. Only calls without the token are limited.
 */
export function metricsRoute(read: () => Promise<string>) {
  return (request: Request): Promise<Response> =>
    respond(request, async () => {
      const { METRICS_TOKEN } = env();
      if (METRICS_TOKEN && hasKey(request, METRICS_TOKEN)) {
        return new Response(await read(), {
          headers: { 'content-type': METRICS_TYPE, 'cache-control': 'no-store' },
        });
      }
      limitAddress(request, 'calls');
      if (!METRICS_TOKEN) throw new AppError('not_found', NO_SUCH_PATH);
      throw new AppError('unauthorized', 'The token is wrong or missing.');
    });
}
