import { disconnectWorkspace } from '@/lib/features/setup/disconnect';
import { findWorkspace } from '@/lib/features/setup/find-workspace';
import { accountRoute } from '@/lib/http/account-route';
import { meantQuery } from '@/lib/http/params';

export const GET = accountRoute({}, ({ account }) => findWorkspace(account));

export const DELETE = accountRoute({ query: meantQuery }, ({ account, query }) =>
  disconnectWorkspace(account, query.id),
);
