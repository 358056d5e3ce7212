import { findWorkspace } from '@/lib/features/connections/queries';
import { disconnectWorkspace } from '@/lib/features/setup/disconnect';
import { accountRoute } from '@/lib/http/account-route';

export const GET = accountRoute({}, ({ account }) => findWorkspace(account));

export const DELETE = accountRoute({}, ({ account }) => disconnectWorkspace(account));
