import { listTakeovers } from '@/lib/features/takeovers/list-takeovers';
import { accountRoute } from '@/lib/http/account-route';

export const GET = accountRoute({}, ({ account }) => listTakeovers(account));
