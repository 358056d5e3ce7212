import { finishBotInstall } from '@/lib/features/setup/install-server';
import { legRoute } from '@/lib/http/leg-route';

export const GET = legRoute(finishBotInstall);
