import { schedulerRoute } from '@/lib/http/scheduler-route';
import { workShift } from '@/lib/worker/short-worker';

export const maxDuration = 60;

export const POST = schedulerRoute(() => workShift());
