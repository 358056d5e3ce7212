import { getDelivery } from '@/lib/features/deliveries/delivery-log';
import { accountRoute } from '@/lib/http/account-route';
import { deliveryParams } from '@/lib/http/params';

export const GET = accountRoute({ params: deliveryParams }, ({ account, params }) =>
  getDelivery(account, params.id, params.deliveryId),
);
