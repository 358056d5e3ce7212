import { approveLink } from '@/lib/features/links/commands';
import { approveLinkSchema } from '@/lib/features/links/schema';
import { accountRoute } from '@/lib/http/account-route';
import { idParams } from '@/lib/http/params';

export const POST = accountRoute({ params: idParams, body: approveLinkSchema }, ({ account, params, body }) =>
  approveLink(account, params.id, body.notionUserId),
);
