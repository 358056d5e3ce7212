import { sendTest } from '@/lib/features/drafts/send-test';
import { ruleInputSchema } from '@/lib/features/rules/schema';
import { accountRoute } from '@/lib/http/account-route';

export const POST = accountRoute({ body: ruleInputSchema }, ({ account, body }) => sendTest(account, body));
