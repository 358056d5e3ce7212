import { listDeliveries } from '@/lib/features/deliveries/delivery-log';
import { deliveryQuerySchema } from '@/lib/features/deliveries/schema';
import { accountRoute } from '@/lib/http/account-route';
import { idParams } from '@/lib/http/params';

export const GET = accountRoute(
  { params: idParams, query: deliveryQuerySchema },
  ({ account, params, query }) => listDeliveries(account, params.id, query),
);
