import { exportRules } from '@/lib/features/transfer/export-rules';
import { accountRoute } from '@/lib/http/account-route';

export const GET = accountRoute({ fileName: 'pagewire-rules.json' }, ({ account }) => exportRules(account));
