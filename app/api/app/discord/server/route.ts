import { disconnectServer } from '@/lib/features/setup/disconnect';
import { findServer } from '@/lib/features/setup/find-server';
import { accountRoute } from '@/lib/http/account-route';
import { meantQuery } from '@/lib/http/params';

export const GET = accountRoute({}, ({ account }) => findServer(account));

export const DELETE = accountRoute({ query: meantQuery }, ({ account, query }) =>
  disconnectServer(account, query.id),
);
