/**
 * Ids of objects that only the bench has: numbered databases, pages numbered within a database, and one channel for
 * each database. The upstreams recognise them by their form.
 */
const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');

export const databaseIdOf = (database: number) => `${hex(database, 8)}-0000-4000-9000-000000000000`;
export const pageIdOf = (database: number, page: number) =>
  `${hex(database, 8)}-0000-4000-8000-${hex(page, 12)}`;
export const channelIdOf = (database: number) => `9${String(database).padStart(17, '0')}`;
export const botIdOf = (account: number) => `${hex(account, 8)}-0000-4000-a000-000000000000`;

export const PAGE_PATH = /^\/v1\/pages\/([0-9a-f]{8})(-0000-4000-8000-[0-9a-f]{12})$/;
export const QUERY_PATH = /^\/v1\/data_sources\/[0-9a-f]{8}-0000-4000-9000-0{12}\/query$/;
/** Messages in a channel, or in a message's thread. */
export const MESSAGES_PATH = /^\/api\/v10\/channels\/(9\d{17}|1\d{18})\/messages$/;
export const MESSAGE_PATH = /^\/api\/v10\/channels\/(9\d{17})\/messages\/(1\d{18})$/;
export const THREADS_PATH = /^\/api\/v10\/channels\/(9\d{17})\/messages\/(1\d{18})\/threads$/;
/** Pages of database 0, which no rule watches. */
export const UNWATCHED = /^0{8}-/;
