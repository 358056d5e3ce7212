import { z } from 'zod';

/** The properties of a page or a data source, each with its name. Zod's own `record` leaves out the name "__proto__". */
export const namedEntries = z
  .custom<object>((given) => typeof given === 'object' && given !== null && !Array.isArray(given))
  .transform((given): [string, unknown][] => Object.entries(given));
