import { db } from '@/lib/db/database';

/** Stands for the name of an installer whom Notion has not named. */
export const UNNAMED_INSTALLER = 'Workspace installer';

/** Gives a workspace's installer, if linked without a name, the name that is stored for them since. */
export async function nameInstaller(workspaceId: string): Promise<void> {
  await db().$executeRaw`
    update account_link k set notion_display_name = u.name
    from notion_workspace w join notion_user u on u.workspace_id = w.id and u.id = w.installer_notion_user_id
    where w.id = ${workspaceId}::uuid and k.account_id = w.account_id and k.notion_user_id = u.id
      and k.notion_display_name = ${UNNAMED_INSTALLER}`;
}
