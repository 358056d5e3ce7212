import { keepServer } from '@/lib/features/takeovers/answer-takeover';
import { accountRoute } from '@/lib/http/account-route';
import { idParams } from '@/lib/http/params';

export const POST = accountRoute({ params: idParams }, ({ account, params }) =>
  keepServer(account, params.id),
);
