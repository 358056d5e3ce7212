import { missingRoute } from '@/lib/http/missing-route';

export const GET = missingRoute();
export const POST = missingRoute();
export const PUT = missingRoute();
export const PATCH = missingRoute();
export const DELETE = missingRoute();
export const OPTIONS = missingRoute();
