import { getReadiness } from '@/lib/features/health/readiness';
import { openRoute } from '@/lib/http/open-route';
import { jsonResponse } from '@/lib/http/respond';

export const GET = openRoute(async () => {
  const readiness = await getReadiness();
  return jsonResponse(readiness, readiness.ready ? 200 : 503);
});
