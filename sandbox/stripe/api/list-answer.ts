import { z } from 'zod';
import { wholeNumber } from './form-body';

const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 10;

/** The parameters that every list takes. */
export const listParams = {
  limit: wholeNumber.refine((limit) => limit >= 1 && limit <= MAX_LIMIT, 'must be from 1 to 100').optional(),
  starting_after: z.string().optional(),
};

/** One page of a list, in Stripe's shape. */
export function listAnswer<T extends { id: string }>(
  all: T[],
  url: string,
  { limit = DEFAULT_LIMIT, starting_after }: { limit?: number; starting_after?: string },
) {
  const from = starting_after ? all.findIndex(({ id }) => id === starting_after) + 1 : 0;
  return {
    object: 'list',
    data: all.slice(from, from + limit),
    has_more: all.length > from + limit,
    url,
  };
}
