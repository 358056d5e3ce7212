import { z } from 'zod';

/** The parameters of a path that ends in one of our own ids. */
export const idParams = z.object({ id: z.uuid() });

/** The parameters of a path to a delivery of a rule. */
export const deliveryParams = z.object({ id: z.uuid(), deliveryId: z.uuid() });
