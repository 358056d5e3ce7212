import { z } from 'zod';
import { listProperties } from '@/lib/features/connections/queries';
import { databaseIdSchema } from '@/lib/features/connections/schema';
import { accountRoute } from '@/lib/http/account-route';

const params = z.object({ databaseId: databaseIdSchema });

export const GET = accountRoute({ params }, ({ account, params }) =>
  listProperties(account, params.databaseId),
);
