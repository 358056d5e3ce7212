import { z } from 'zod';
import { listProperties } from '@/lib/features/workspaces/queries';
import { databaseIdSchema } from '@/lib/features/workspaces/schema';
import { accountRoute } from '@/lib/http/account-route';

const params = z.object({ databaseId: databaseIdSchema });

export const GET = accountRoute({ params }, ({ account, params }) =>
  listProperties(account, params.databaseId),
);
