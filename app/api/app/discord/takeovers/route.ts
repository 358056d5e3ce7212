import { listTakeovers } from '@/lib/features/connections/list-takeovers';
import { accountRoute } from '@/lib/http/account-route';

export const GET = accountRoute({}, ({ account }) => listTakeovers(account));
