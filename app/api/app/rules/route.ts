import { createRule } from '@/lib/features/rules/commands';
import { listRules } from '@/lib/features/rules/queries';
import { ruleInputSchema } from '@/lib/features/rules/schema';
import { accountRoute } from '@/lib/http/account-route';
import { requestQuery } from '@/lib/http/params';

export const GET = accountRoute({}, ({ account }) => listRules(account));

export const POST = accountRoute(
  { body: ruleInputSchema, query: requestQuery, status: 201 },
  ({ account, body, query }) => createRule(account, body, query.request),
);
