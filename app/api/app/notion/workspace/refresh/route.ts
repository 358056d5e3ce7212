import { rereadWorkspace } from '@/lib/features/setup/find-workspace';
import { accountRoute } from '@/lib/http/account-route';

export const POST = accountRoute({}, ({ account }) => rereadWorkspace(account));
