import { getHealth } from '@/lib/features/health/queries';
import { passageOf } from '@/lib/http/caller-address';
import { openRoute } from '@/lib/http/open-route';
import { jsonResponse } from '@/lib/http/respond';

export const GET = openRoute(async (request) => {
  const health = await getHealth();
  // Shows the person who sets up a proxy whether Pagewire trusts it.
  return jsonResponse({ ...health, passage: passageOf(request) }, health.status === 'failing' ? 503 : 200);
});
