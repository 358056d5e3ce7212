import { previewRule } from '@/lib/features/drafts/preview';
import { ruleInputSchema } from '@/lib/features/rules/schema';
import { accountRoute } from '@/lib/http/account-route';

export const POST = accountRoute({ body: ruleInputSchema }, ({ account, body }) =>
  previewRule(account, body),
);
