import { deleteRule, switchRule, updateRule } from '@/lib/features/rules/commands';
import { ruleChangeSchemaFor } from '@/lib/features/rules/schema';
import { accountRoute } from '@/lib/http/account-route';
import { idParams } from '@/lib/http/params';

export const PUT = accountRoute(
  { params: idParams, body: ruleChangeSchemaFor },
  ({ account, params, body }) =>
    'source' in body ? updateRule(account, params.id, body) : switchRule(account, params.id, body.enabled),
);

export const DELETE = accountRoute({ params: idParams }, ({ account, params }) =>
  deleteRule(account, params.id),
);
