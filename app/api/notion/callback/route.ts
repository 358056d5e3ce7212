import { finishNotionConnect } from '@/lib/features/setup/connect-workspace';
import { legRoute } from '@/lib/http/leg-route';

export const GET = legRoute(finishNotionConnect);
