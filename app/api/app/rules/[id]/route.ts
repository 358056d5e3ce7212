import { deleteRule, switchRule, updateRule } from '@/lib/features/rules/commands';
import { ruleChangeSchemaFor } from '@/lib/features/rules/schema';
import { accountRoute } from '@/lib/http/account-route';
import { idParams } from '@/lib/http/params';

export const PUT = accountRoute(
  { params: idParams, body: ruleChangeSchemaFor },
  ({ account, params, body }) =>
    'enabled' in body ? switchRule(account, params.id, body.enabled) : updateRule(account, params.id, body),
);

export const DELETE = accountRoute({ params: idParams }, ({ account, params }) =>
  deleteRule(account, params.id),
);
