import { startNotionConnect } from '@/lib/features/setup/connect-workspace';
import { connectNotionSchema } from '@/lib/features/setup/schema';
import { accountRoute } from '@/lib/http/account-route';

export const POST = accountRoute({ body: connectNotionSchema }, ({ account, body, browserKey }) =>
  startNotionConnect(account, browserKey(), body.returnTo),
);
