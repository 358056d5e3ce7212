import { requestTakeover } from '@/lib/features/takeovers/request-takeover';
import { accountRoute } from '@/lib/http/account-route';
import { idParams } from '@/lib/http/params';

export const POST = accountRoute({ params: idParams }, ({ account, params }) =>
  requestTakeover(account, params.id),
);
