import { exportAccount } from '@/lib/features/account/export-account';
import { accountRoute } from '@/lib/http/account-route';

export const GET = accountRoute({ fileName: 'pagewire-account.json' }, ({ account }) =>
  exportAccount(account),
);
