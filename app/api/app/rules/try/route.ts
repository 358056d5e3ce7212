import { tryInputSchema } from '@/lib/features/hindsight/schema';
import { tryRule } from '@/lib/features/hindsight/try-rule';
import { accountRoute } from '@/lib/http/account-route';

export const POST = accountRoute({ body: tryInputSchema }, ({ account, body }) => tryRule(account, body));
