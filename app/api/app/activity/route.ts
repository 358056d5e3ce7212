import { listActivity } from '@/lib/features/deliveries/activity';
import { activityQuerySchema } from '@/lib/features/deliveries/schema';
import { accountRoute } from '@/lib/http/account-route';

export const GET = accountRoute({ query: activityQuerySchema }, ({ account, query }) =>
  listActivity(account, query),
);
