import { z } from 'zod';

/** The parameters of a path that ends in one of our own ids. */
export const idParams = z.object({ id: z.uuid() });

/** The parameters of a path to a delivery of a rule. */
export const deliveryParams = z.object({ id: z.uuid(), deliveryId: z.uuid() });

/**
 * The query of a call that ends what an account has only one of. With `id`, the call is refused if another one has taken
 * its place, perhaps in another tab.
 */
export const meantQuery = z.object({ id: z.string().max(100).optional() });

/**
 * The query of a call that creates something. With `request`, an id that the caller makes, the call can be sent again
 * when its answer was lost.
 */
export const requestQuery = z.object({ request: z.uuid('request must be a UUID').optional() });
