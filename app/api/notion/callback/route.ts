import { finishNotionConnect } from '@/lib/features/connections/connect-workspace';
import { legRoute } from '@/lib/http/leg-route';

export const GET = legRoute(finishNotionConnect);
