import { listAccountLinks } from '@/lib/features/links/queries';
import { accountRoute } from '@/lib/http/account-route';

export const GET = accountRoute({}, ({ account }) => listAccountLinks(account));
