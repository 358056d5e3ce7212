import { deleteOwnLink } from '@/lib/features/links/commands';
import { accountRoute } from '@/lib/http/account-route';
import { meantQuery } from '@/lib/http/params';

export const DELETE = accountRoute({ query: meantQuery }, ({ account, query }) =>
  deleteOwnLink(account, query.id),
);
