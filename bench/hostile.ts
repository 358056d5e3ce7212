import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { sealMessage } from '@/lib/features/messages/sealed-body';
import { type BenchProduct, bearerOf } from './bench-product';
import type { BenchStory } from './bench-story';
import { copyWorkspace } from './copied-workspace';

const CALLS_PER_MINUTE = 600;
const FAILED_CARDS = 100;

/** An account that makes as many calls as it may. */
export interface Hostile {
  subject: string;
  ruleId: string;
  channelId: string;
  deliveryIds: string[];
}

/** A server of the stand-in, and the status with which Discord refuses all calls about it; absent for usual answers. */
interface HostileServer {
  guildId: string;
  channelId: string;
  refusedWith?: 403 | 429;
}

/** Adds an account like the story's own, with its own server and failed cards there. */
export async function addHostile(
  product: BenchProduct,
  story: BenchStory,
  { guildId, channelId, refusedWith }: HostileServer,
): Promise<Hostile> {
  const { database, sandbox } = product;
  if (refusedWith) {
    const match = `/(guilds/${guildId}|channels/${channelId})`;
    const fault = { target: 'discord', kind: 'fail', times: 0, delayMs: 0 } as const;
    sandbox.context.faults.add({ ...fault, match, status: refusedWith });
  }
  const subject = `oauth2|discord-dev|${guildId}`;
  const channels = JSON.stringify([
    { id: channelId, name: 'loud', category: null, accessProblem: null, accessFix: null },
  ]);
  const workspace = await copyWorkspace(product);
  const values = [subject, guildId, story.databaseId, channels, channelId, story.estimateId];
  const { rows } = await database.query<{ ruleId: string; accountId: string }>(ADD_HOSTILE, [
    ...values,
    workspace.id,
    workspace.sealedTokens,
  ]);
  const { ruleId, accountId } = rows[0] ?? { ruleId: '', accountId: '' };
  const deliveryIds = Array.from({ length: FAILED_CARDS }, () => randomUUID());
  const sealed = deliveryIds.map((id) => Buffer.from(sealMessage(id, { content: 'Once more' })));
  await database.query(
    `insert into message (id, at, account_id, source_id, target_id, sealed_body, state)
     select id, now(), $3, $4, $5, sealed, 'failed' from unnest($1::uuid[], $2::bytea[]) as c (id, sealed)`,
    [deliveryIds, sealed, accountId, ruleId, channelId],
  );
  return { subject, ruleId, channelId, deliveryIds };
}

const ADD_HOSTILE = `
  with mine as (
    insert into account (id, subject, discord_user_id, trial_ends_at)
    values (gen_random_uuid(), $1, $2, now() + interval '14 days') returning id
  ), server as (
    insert into discord_server (id, account_id, guild_id, name, installer_discord_user_id, channels)
    select gen_random_uuid(), id, $2, 'Loud', '0', $4::jsonb from mine returning id
  ), workspace as (
    insert into notion_workspace (id, account_id, notion_workspace_id, bot_id, name, sealed_tokens)
    select $7::uuid, mine.id, w.notion_workspace_id, gen_random_uuid()::text, w.name, $8::bytea
    from mine cross join (select * from notion_workspace order by connected_at limit 1) w returning id
  ), made as (
    insert into notion_database (workspace_id, id, name, icon, url, properties)
    select workspace.id, d.id, d.name, d.icon, d.url, d.properties
    from workspace cross join (select * from notion_database where id = $3 limit 1) d returning id
  )
  insert into rule (id, account_id, server_id, workspace_id, database_id, event_type, channel_id, channel_name,
    watched_properties, status_to, displayed_fields)
  select gen_random_uuid(), mine.id, server.id, workspace.id, made.id, 'page_updated', $5, 'loud', array[$6::text],
    '{}', '{}' from mine, server, workspace, made returning id as "ruleId", account_id as "accountId"`;

/**
 * Saves, previews, sends again and checks, 600 times a minute, until stopped. `stop` then returns how often each status
 * was answered.
 */
export async function attack(
  { appUrl, sandbox }: BenchProduct,
  story: BenchStory,
  { subject, ruleId, channelId, deliveryIds }: Hostile,
): Promise<{ stop(): Promise<Map<number, number>> }> {
  const headers = {
    authorization: `Bearer ${await bearerOf(sandbox, subject)}`,
    'content-type': 'application/json',
  };
  const rule = JSON.stringify({
    databaseId: story.databaseId,
    eventType: 'page_updated',
    channelId,
    watchedProperties: [story.estimateId],
  });
  const kinds: ((nth: number) => [string, string, string?])[] = [
    () => ['PUT', `/${ruleId}`, rule],
    () => ['POST', '/preview', rule],
    (nth) => ['POST', `/${ruleId}/deliveries/${deliveryIds[nth % deliveryIds.length]}/resend`],
    () => ['POST', `/${ruleId}/check`],
  ];
  const answers = new Map<number, number>();
  const open: Promise<unknown>[] = [];
  let isOver = false;
  const going = (async () => {
    for (let nth = 0; !isOver; nth += 1) {
      const [method, path, body] = kinds[nth % kinds.length]?.(nth) ?? ['POST', ''];
      const answered = fetch(`${appUrl}/api/app/rules${path}`, { method, headers, body });
      open.push(
        answered.then(async (response) => {
          await response.text();
          answers.set(response.status, (answers.get(response.status) ?? 0) + 1);
        }),
      );
      await wait(60_000 / CALLS_PER_MINUTE);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await going;
      await Promise.allSettled(open);
      return answers;
    },
  };
}
