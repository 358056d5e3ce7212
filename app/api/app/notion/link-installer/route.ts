import { linkOwnInstaller } from '@/lib/features/links/commands';
import { accountRoute } from '@/lib/http/account-route';

export const POST = accountRoute({}, ({ account }) => linkOwnInstaller(account));
