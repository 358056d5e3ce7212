import { getHealth } from '@/lib/features/health/queries';
import { openRoute } from '@/lib/http/open-route';
import { jsonResponse } from '@/lib/http/respond';

export const GET = openRoute(async () => {
  const health = await getHealth();
  return jsonResponse(health, health.status === 'failing' ? 503 : 200);
});
