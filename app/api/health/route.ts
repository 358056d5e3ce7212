import { getHealth } from '@/lib/features/health/queries';
import { passageOf } from '@/lib/http/caller-address';
import { openRoute } from '@/lib/http/open-route';
import { jsonResponse } from '@/lib/http/respond';

export const GET = openRoute(async (request) => {
  const health = await getHealth();
  // Whoever sets up a proxy sees here whether it is believed.
  return jsonResponse({ ...health, passage: passageOf(request) }, health.status === 'failing' ? 503 : 200);
});
