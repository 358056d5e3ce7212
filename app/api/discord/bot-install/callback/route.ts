import { finishBotInstall } from '@/lib/features/connections/install-server';
import { legRoute } from '@/lib/http/leg-route';

export const GET = legRoute(finishBotInstall);
