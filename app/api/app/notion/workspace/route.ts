import { disconnectWorkspace } from '@/lib/features/setup/disconnect';
import { findWorkspace } from '@/lib/features/setup/find-workspace';
import { accountRoute } from '@/lib/http/account-route';

export const GET = accountRoute({}, ({ account }) => findWorkspace(account));

export const DELETE = accountRoute({}, ({ account }) => disconnectWorkspace(account));
