import { findServer } from '@/lib/features/connections/queries';
import { disconnectServer } from '@/lib/features/setup/disconnect';
import { accountRoute } from '@/lib/http/account-route';

export const GET = accountRoute({}, ({ account }) => findServer(account));

export const DELETE = accountRoute({}, ({ account }) => disconnectServer(account));
