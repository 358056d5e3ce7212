import { createRule } from '@/lib/features/rules/commands';
import { listRules } from '@/lib/features/rules/queries';
import { ruleInputSchema } from '@/lib/features/rules/schema';
import { accountRoute } from '@/lib/http/account-route';

export const GET = accountRoute({}, ({ account }) => listRules(account));

export const POST = accountRoute({ body: ruleInputSchema, status: 201 }, ({ account, body }) =>
  createRule(account, body),
);
