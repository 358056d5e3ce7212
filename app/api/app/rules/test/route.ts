import { ruleInputSchema } from '@/lib/features/rules/schema';
import { sendTest } from '@/lib/features/rules/send-test';
import { accountRoute } from '@/lib/http/account-route';

export const POST = accountRoute({ body: ruleInputSchema }, ({ account, body }) => sendTest(account, body));
