import { join } from 'node:path';

/** The script that Node runs as the production server. Takes `--hostname` and `--port`. */
export const WEB_SERVER = join(import.meta.dirname, 'web-server.mjs');

/**
 * Environment of the production server. glibc rarely returns memory by itself. With an arena for each thread,
 * compilation and garbage collection would keep 65 MB after a burst; without separate mappings for larger blocks, what
 * a start needs briefly would keep another 10 MB. Other C libraries ignore these.
 */
export const WEB_ENVIRONMENT = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '65536',
  MALLOC_TRIM_THRESHOLD_: '131072',
};
