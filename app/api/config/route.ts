import { getAppConfig } from '@/lib/features/account/queries';
import { openRoute } from '@/lib/http/open-route';

export const GET = openRoute(async () => getAppConfig());
