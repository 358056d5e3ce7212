import { z } from 'zod';
import { listProperties } from '@/lib/features/connections/queries';
import { accountRoute } from '@/lib/http/account-route';

const params = z.object({ databaseId: z.string().regex(/^[\w-]{1,100}$/) });

export const GET = accountRoute({ params }, ({ account, params }) =>
  listProperties(account, params.databaseId),
);
