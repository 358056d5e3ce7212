import { deleteLink } from '@/lib/features/links/commands';
import { accountRoute } from '@/lib/http/account-route';
import { idParams } from '@/lib/http/params';

export const DELETE = accountRoute({ params: idParams }, ({ account, params }) =>
  deleteLink(account, params.id),
);
