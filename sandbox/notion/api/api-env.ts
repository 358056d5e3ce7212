import type { Caller } from './caller';

/** What the guard hands to every API route. */
export type ApiEnv = { Variables: { requestId: string; caller: Caller } };
