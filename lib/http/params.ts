import { z } from 'zod';

/** The parameters of a path that ends in one of our own ids. */
export const idParams = z.object({ id: z.uuid() });
