import { rereadServer } from '@/lib/features/setup/find-server';
import { accountRoute } from '@/lib/http/account-route';

export const POST = accountRoute({}, ({ account }) => rereadServer(account));
