import { importRules } from '@/lib/features/transfer/import-rules';
import { importInputSchema } from '@/lib/features/transfer/schema';
import { accountRoute } from '@/lib/http/account-route';
import { requestQuery } from '@/lib/http/params';

const MAX_BYTES = 1024 * 1024;

export const POST = accountRoute(
  { body: importInputSchema, query: requestQuery, maxBytes: MAX_BYTES },
  ({ account, body, query }) => importRules(account, body, query.request),
);
