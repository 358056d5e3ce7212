import { connectNotionSchema } from '@/lib/features/connections/schema';
import { startNotionConnect } from '@/lib/features/setup/connect-workspace';
import { accountRoute } from '@/lib/http/account-route';

export const POST = accountRoute({ body: connectNotionSchema }, ({ account, body, browserKey }) =>
  startNotionConnect(account, browserKey(), body.returnTo),
);
