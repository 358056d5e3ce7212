import { db } from '../db/database';

/** Makes what was last read of workspaces too old to be reused. */
export async function readNotionAnew(): Promise<void> {
  await db().notionWorkspace.updateMany({
    data: { catalogCheckedAt: new Date(0), catalogAskedAt: new Date(0) },
  });
}
