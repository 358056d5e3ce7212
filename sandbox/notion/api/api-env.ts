import type { Caller } from './caller';

/** What the guard passes to every API route. */
export type ApiEnv = { Variables: { requestId: string; caller: Caller } };
