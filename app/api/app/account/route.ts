import { deleteAccount } from '@/lib/features/account/commands';
import { accountRoute } from '@/lib/http/account-route';

export const DELETE = accountRoute({}, ({ account }) => deleteAccount(account));
