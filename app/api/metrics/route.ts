import { readMetrics } from '@/lib/features/health/read-metrics';
import { metricsRoute } from '@/lib/http/metrics-route';

export const GET = metricsRoute(readMetrics);
