import { db } from '@/lib/db/database';
import type { Account } from '@/lib/db/generated/client';
import type { BotInstall } from '@/lib/integrations/discord/discord-install';
import { LAPSE_MS } from './find-takeovers';

/**
 * Records that Discord let an account install the bot in another account's server; only with this proof may it ask for
 * the server. An existing takeover is left as it is. Nothing is recorded when the server or the account is just being
 * deleted.
 */
export async function offerTakeover(account: Account, { guild, installer }: BotInstall): Promise<void> {
  const lapsedBefore = new Date(Date.now() - LAPSE_MS);
  await db().$executeRaw`
    insert into server_takeover as t (id, account_id, server_id, discord_username)
    select gen_random_uuid(), a.id, s.id, ${installer.username} from discord_server s, account a
    where s.guild_id = ${guild.id} and a.id = ${account.id}::uuid and s.account_id <> a.id
    for key share
    on conflict (server_id, account_id) do update set state = 'offered', since = now(),
      discord_username = excluded.discord_username
    where t.state = 'offered' or t.since < ${lapsedBefore}::timestamptz`;
}
