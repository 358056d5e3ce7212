import { deleteOwnLink } from '@/lib/features/links/commands';
import { accountRoute } from '@/lib/http/account-route';

export const DELETE = accountRoute({}, ({ account }) => deleteOwnLink(account));
