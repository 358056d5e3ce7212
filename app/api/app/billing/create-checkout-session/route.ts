import { startCheckout } from '@/lib/features/billing/commands';
import { accountRoute } from '@/lib/http/account-route';

export const POST = accountRoute({}, ({ account }) => startCheckout(account));
