import { setTimeout as wait } from 'node:timers/promises';
import { Caller } from '../sandbox/notion/api/caller';
import { pageObject } from '../sandbox/notion/api/page-object';
import { NotionWorld } from '../sandbox/notion/notion-world';
import type { Lifetime } from '../scripts/lifetime';
import { botIdOf, channelIdOf, databaseIdOf, pageIdOf } from './bench-ids';
import { type BenchProduct, startBenchProduct } from './bench-product';
import { type BenchStory, tellStory } from './bench-story';
import { copyWorkspace } from './copied-workspace';
import type { Setting } from './setting';
import { untilIdle } from './until-idle';
import { Upstream } from './upstream';
import { makeWebhook, type Webhook } from './webhooks';

// Long enough for the work after the last card to begin, such as the next look for due turns.
const REST_MS = 100;

let nextPage = 1;

/** What a burst consists of. */
export interface Draft {
  /** The properties that Notion reports as changed; absent means the watched one. */
  updated?: string[];
  isUnwatched?: boolean;
  /** Reuses the pages of the previous burst, which must have been as large. */
  again?: boolean;
}

/** The product between lean upstreams, with accounts whose databases have one rule and one channel each. */
export class BenchPipeline {
  private constructor(
    readonly product: BenchProduct,
    readonly upstream: Upstream,
    readonly setting: Setting,
    private readonly story: BenchStory,
  ) {}

  /** `env` is added to the application's environment. */
  static async start(
    lifetime: Lifetime,
    setting: Setting,
    env: Record<string, string> = {},
  ): Promise<BenchPipeline> {
    const upstream = await Upstream.start(lifetime);
    const product = await startBenchProduct(lifetime, async ({ context }) => {
      const { notion, discord } = context.urls;
      await upstream.setUp({ notionUrl: notion, discordUrl: discord, page: '' });
      return { ...env, NOTION_API_URL: upstream.url, DISCORD_API_URL: `${upstream.url}/api/v10` };
    });
    const story = await tellStory(product, 0);
    const { notion, discord } = product.sandbox.context.urls;
    await upstream.setUp({ notionUrl: notion, discordUrl: discord, page: pageText(product, story) });
    await product.database.query(
      'insert into send_slot (id) select generate_series(51, $1) on conflict do nothing',
      [setting.sendSlots],
    );
    const pipeline = new BenchPipeline(product, upstream, setting, story);
    await pipeline.addAccounts();
    await upstream.setDelays(setting.delays);
    return pipeline;
  }

  /** Adds accounts like the story's own, each with its own databases, and a rule and a channel for each database. */
  private async addAccounts(): Promise<void> {
    for (let account = 0; account < this.setting.accounts; account += 1) {
      const databases = Array.from({ length: this.setting.databases }, (_, index) =>
        this.numberOf(account, index),
      );
      const workspace = await copyWorkspace(this.product);
      await this.product.database.query(ADD_ACCOUNT, [
        `bench|${account}`,
        `bench-guild-${account}`,
        botIdOf(account),
        this.story.databaseId,
        databases.map(databaseIdOf),
        databases.map(channelIdOf),
        this.story.estimateId,
        workspace.id,
        workspace.sealedTokens,
      ]);
    }
    await this.product.database.query('analyze');
  }

  /**
   * Signed events, each of a page never seen before, spread evenly over accounts and databases. With `isUnwatched` all
   * are of a database that no rule watches; with `again` they repeat the pages of the previous burst.
   */
  makeWebhooks(count: number, { updated, isUnwatched = false, again = false }: Draft = {}): Webhook[] {
    const { accounts, databases } = this.setting;
    const token = this.product.sandbox.context.credentials.notion.webhookToken;
    if (again) nextPage -= count;
    return Array.from({ length: count }, (_, index) => {
      const account = index % accounts;
      const database = isUnwatched ? 0 : this.numberOf(account, Math.floor(index / accounts) % databases);
      return makeWebhook(
        {
          workspaceId: this.story.workspaceId,
          botId: botIdOf(account),
          databaseId: databaseIdOf(database),
          pageId: pageIdOf(database, nextPage++),
          updated: updated ?? [this.story.estimateId],
        },
        token,
      );
    });
  }

  /** Waits until the product has nothing left to do, and resets every account's use of its plan. */
  async rest(): Promise<void> {
    await wait(REST_MS);
    await untilIdle(this.product.database);
    await this.product.database.query('delete from usage_period');
  }

  /** Databases are numbered across accounts, so a page's id tells its database, and a database's number its account. */
  private numberOf(account: number, index: number): number {
    return account * this.setting.databases + index + 1;
  }
}

const ADD_ACCOUNT = `
  with mine as (
    insert into account (id, subject, trial_ends_at) values (gen_random_uuid(), $1, now() + interval '14 days') returning id
  ), server as (
    insert into discord_server (id, account_id, guild_id, name, installer_discord_user_id)
    select gen_random_uuid(), id, $2, 'Somewhere', '0' from mine returning id
  ), workspace as (
    insert into notion_workspace (id, account_id, notion_workspace_id, bot_id, name, sealed_tokens)
    select $8::uuid, mine.id, w.notion_workspace_id, $3, w.name, $9::bytea
    from mine cross join (select * from notion_workspace order by connected_at limit 1) w returning id
  ), made as (
    insert into notion_database (workspace_id, id, name, icon, url, properties)
    select workspace.id, made, d.name, d.icon, d.url, d.properties
    from workspace cross join unnest($5::text[]) made
    cross join (select * from notion_database where id = $4 limit 1) d returning id
  )
  insert into rule (id, account_id, server_id, workspace_id, database_id, event_type, channel_id, channel_name,
    watched_properties, status_to, displayed_fields)
  select gen_random_uuid(), mine.id, server.id, workspace.id, made.database, 'page_updated', made.channel, 'cards',
    array[$7::text], '{}', '{}' from mine, server, workspace, unnest($5::text[], $6::text[]) as made(database, channel)`;

/** A row of the story's database as Notion returns it, with placeholders where pages differ. */
function pageText({ sandbox }: BenchProduct, story: BenchStory): string {
  const world = new NotionWorld(sandbox.context);
  const row = world.row(story.pageIds[0] ?? '');
  const authorization = world.state.authorizations.at(-1);
  if (!row || !authorization) throw new Error('The sandbox tells another story');
  const page = pageObject(new Caller(world, authorization), row);
  page.id = 'PAGE_ID';
  page.url = 'https://app.notion.com/p/PAGE_ID';
  if (page.parent.type === 'data_source_id') page.parent.data_source_id = 'DATABASE_ID';
  const estimate = Object.values(page.properties).find(({ id }) => id === story.estimateId);
  return JSON.stringify(page).replace(
    JSON.stringify(estimate),
    JSON.stringify({ ...estimate, number: 'ESTIMATE' }),
  );
}
