import { disconnectServer } from '@/lib/features/setup/disconnect';
import { findServer } from '@/lib/features/setup/find-server';
import { accountRoute } from '@/lib/http/account-route';

export const GET = accountRoute({}, ({ account }) => findServer(account));

export const DELETE = accountRoute({}, ({ account }) => disconnectServer(account));
