import { pageIdIn } from '@/lib/features/rules/schema';
import { pagesQuerySchema } from '@/lib/features/tree/schema';
import { findPages } from '@/lib/features/tree/search-pages';
import { accountRoute } from '@/lib/http/account-route';

export const GET = accountRoute({ query: pagesQuerySchema }, ({ account, query }) =>
  findPages(account, query.query, pageIdIn(query.query)),
);
