import { missingRoute } from '@/lib/http/missing-route';

/** Files of another version, for which a browser that still runs it may ask. Without this they would be pages. */
export const GET = missingRoute();
