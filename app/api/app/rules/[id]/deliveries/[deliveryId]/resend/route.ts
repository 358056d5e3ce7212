import { resendDelivery } from '@/lib/features/deliveries/resend';
import { accountRoute } from '@/lib/http/account-route';
import { deliveryParams } from '@/lib/http/params';

export const POST = accountRoute({ params: deliveryParams }, ({ account, params }) =>
  resendDelivery(account, params.id, params.deliveryId),
);
