import { preferencesInputSchema } from '@/lib/features/calendar/schema';
import { savePreferences } from '@/lib/features/preferences/commands';
import { getPreferences } from '@/lib/features/preferences/queries';
import { accountRoute } from '@/lib/http/account-route';

export const GET = accountRoute({}, ({ account }) => getPreferences(account));
export const PUT = accountRoute({ body: preferencesInputSchema }, ({ account, body }) =>
  savePreferences(account, body),
);
