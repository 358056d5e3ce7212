import { importRules } from '@/lib/features/transfer/import-rules';
import { importInputSchema } from '@/lib/features/transfer/schema';
import { accountRoute } from '@/lib/http/account-route';

const MAX_BYTES = 1024 * 1024;

export const POST = accountRoute({ body: importInputSchema, maxBytes: MAX_BYTES }, ({ account, body }) =>
  importRules(account, body),
);
