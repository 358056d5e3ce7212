import { db, Prisma, runStatement } from '@/lib/db/database';
import type { Fault } from '../../sandbox/faults';
import { DUE_NOW } from './due-now';
import { eventually, type startConnectedProduct } from './product';
import { notionEvent, postToNotionDoor } from './signed-calls';

type Story = Awaited<ReturnType<typeof startConnectedProduct>>;
type Key = Parameters<Story['product']['call']>[0];

const HAS_SETTLED = Prisma.sql`
  page_id not in (select page_id from decision where outcome = 'settling' or is_early)`;

/** What is left to do, and whether some of it waits for a later moment or for somebody to look. */
const LOOK = Prisma.sql`
  select (select count(*) from graphile_worker._private_jobs)::int + (select count(*) from channel_turn)::int
      + (select count(*) from page_turn where due_at <= now() or leased_until > now() or ${HAS_SETTLED})::int as left,
    exists (select 1 from graphile_worker._private_jobs where run_at > now() and locked_at is null)
      or exists (select 1 from message where state = 'waiting' and not_before is not null)
      or exists (select 1 from rate_limit where key like 'notion:%')
      or exists (select 1 from page_turn where due_at > now() and ${HAS_SETTLED})
      or exists (select 1 from page_turn where due_at <= now() and leased_until < now())
      or exists (select 1 from channel_turn where due_at > now() and leased_until < now()) as "isLater"`;

interface SentEvent {
  id: string;
  state: string;
  payload: { entity: { id: string }; type: string };
}

/** The pipeline from an edit to a card, with the actions and checks that its tests share. */
export class Pipeline {
  constructor(readonly story: Story) {}

  private get product() {
    return this.story.product;
  }

  /**
   * Deletes rules, snapshots, faults, cards and counts of calls: tests call more often than a person does. The cards
   * leave Discord too, because a card whose answer is lost would be taken for an earlier one with the same content.
   */
  async clear(): Promise<void> {
    this.product.sandbox.context.faults.clear();
    await db().rule.deleteMany();
    await db().pageSnapshot.deleteMany();
    await db().notionEvent.deleteMany();
    await db().decision.deleteMany();
    await db().message.deleteMany();
    await db().channelTurn.deleteMany();
    await db().conversation.deleteMany();
    await db().sendSlot.updateMany({ data: { freeAt: new Date(0) } });
    await db().channelProblem.deleteMany();
    await db().rateLimit.deleteMany();
    await db().callCount.deleteMany();
    await db().invalidAnswer.deleteMany();
    await this.lookAnew();
    await db().usagePeriod.deleteMany();
    await db().heldNotice.deleteMany();
    await this.product.control('notion', 'DELETE', '/calls');
    await this.product.control('discord', 'DELETE', '/calls');
    for (const { id, name } of this.story.guild.channels) {
      for (const card of await this.product.messages(id).catch(() => [])) {
        await this.product.control('discord', 'DELETE', `/messages/${id}/${card.id}`);
      }
      if (name === 'tasks') await this.product.control('discord', 'PUT', `/channels/${id}/overwrite`, {});
    }
  }

  /** Makes the channels that were read from Discord too old to be reused. */
  async lookAnew(): Promise<void> {
    await db().discordServer.updateMany({ data: { channelsCheckedAt: new Date(0) } });
  }

  /** Adds a rule for changes of the status in #tasks, unless given other terms. Returns it. */
  async rule(changes: Record<string, unknown> = {}, key: Key = 'mira') {
    const answer = await this.product.call(key, 'POST', '/api/app/rules', {
      databaseId: this.story.board.dataSourceId,
      eventType: 'page_updated',
      channelId: this.story.channel('tasks'),
      watchedProperties: ['Status'],
      statusTo: [],
      displayedFields: [],
      ...changes,
    });
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    return answer.body;
  }

  /** Adds a rule for everything below a page, which is shared from now on. No rows of a database are below it. */
  async ruleOfPage(title = 'Engineering wiki', more: Record<string, unknown> = {}) {
    await this.product.control('notion', 'POST', '/authorizations/share', { person: 'mira', page: title });
    const docs: { id: string; title: string }[] = await this.product.control('notion', 'GET', '/docs');
    const pageId = docs.find((doc) => doc.title === title)?.id;
    const source = { kind: 'page', pageId, subpages: 'all' };
    const rule = { databaseId: null, source, eventType: 'page_created', watchedProperties: [], ...more };
    return this.rule(rule);
  }

  /** Edits a row as a person and waits until Notion has sent the event. Returns the event and the page. */
  edit(page: string, properties: Record<string, unknown>, as = 'mira'): Promise<SentEvent> {
    return this.told(() =>
      this.product.control('notion', 'PATCH', '/rows', { page, as, properties, database: 'Sprint board' }),
    );
  }

  /** Waits until Notion has sent the events of a change. */
  async told(change: () => Promise<unknown>): Promise<SentEvent> {
    const known = new Set((await this.events()).map(({ id }) => id));
    await change();
    return eventually(async () =>
      (await this.events()).find(
        ({ id, state }) => !known.has(id) && !['waiting', 'sending'].includes(state),
      ),
    );
  }

  /** Waits until Notion has sent every event of what was changed so far. */
  async allTold(): Promise<void> {
    await eventually(async () => (await this.product.control('notion', 'GET', '/untold')).untold === 0);
  }

  /** Makes Notion send an event again, and waits until the door has taken it. */
  async redeliver(id: string): Promise<void> {
    await this.product.control('notion', 'POST', `/events/${id}/redeliver`);
    await eventually(async () => (await this.events()).find((event) => event.id === id)?.state === 'sent');
  }

  events(): Promise<SentEvent[]> {
    return this.product.control('notion', 'GET', '/events');
  }

  /**
   * Waits until no job and no turn is left, except for new pages that have not settled. Later attempts are brought
   * forward.
   */
  async idle(): Promise<void> {
    await eventually(async () => {
      const [look] = await runStatement<{ left: number; isLater: boolean }>(LOOK);
      if (look?.isLater) await this.bringForward();
      return look?.left === 0 && !look.isLater;
    });
  }

  /** Waits until no turn of a channel is under way, whose reading of the server others would share. */
  async turnsEnded(): Promise<void> {
    await eventually(
      async () => (await db().channelTurn.count({ where: { leasedUntil: { gt: new Date() } } })) === 0,
    );
  }

  /** Makes due what waits for a later moment, and announces it. */
  private async bringForward(): Promise<void> {
    await db().$executeRaw`
      update graphile_worker._private_jobs set run_at = now() where run_at > now() and locked_at is null`;
    await db()
      .$executeRaw`update message set not_before = null where state = 'waiting' and not_before is not null`;
    await db().$executeRaw`
      with unblocked as (delete from rate_limit where key like 'notion:%' returning 1)
      update page_turn set due_at = ${DUE_NOW}
      where due_at > now() and (${HAS_SETTLED} or exists (select from unblocked))`;
    await db().$executeRaw`select pg_notify('pagewire_turns', 'page_turn')`;
    await db().$executeRaw`
      with due as (update channel_turn set due_at = ${DUE_NOW} where due_at > now() and leased_until < now() returning 1)
      select pg_notify('pagewire_turns', 'channel_turn') from due limit 1`;
  }

  /** Lets so much time pass that new pages have settled, and waits for their cards. */
  settle(): Promise<void> {
    return this.pass(2.5);
  }

  /** Lets minutes pass for pages that settle, and waits for what becomes of them. */
  async pass(minutes: number): Promise<void> {
    await this.idle();
    await this.age(minutes);
    await this.idle();
  }

  /** Makes everything that came so far older, and has the worker look at its pages again. */
  async age(minutes: number): Promise<void> {
    const by = Prisma.sql`make_interval(secs => ${minutes * 60})`;
    await db().$executeRaw`update notion_event set received_at = received_at - ${by}`;
    await db().$executeRaw`update decision set created_at = created_at - ${by}`;
    await db().$executeRaw`update page_turn set due_at = ${DUE_NOW}`;
  }

  /** The cards of a channel since the last `clear`, oldest first. */
  cards(channel = 'tasks') {
    return this.product.messages(this.story.channel(channel));
  }

  /** The texts of the changes in a channel's cards, in their order. */
  async lines(channel = 'tasks'): Promise<string[]> {
    const cards = await this.cards(channel);
    return cards.map(({ embeds }) => `${embeds[0].title}: ${embeds[0].description.split('\n')[0]}`);
  }

  fault(fault: Pick<Fault, 'target' | 'kind'> & Partial<Fault>): void {
    this.product.sandbox.context.faults.add({ times: 1, status: 500, delayMs: 100, ...fault });
  }

  /** Sets a row's values before any rule exists. */
  async prepare(page: string, properties: Record<string, unknown>): Promise<void> {
    const row = (await this.rows()).find(({ title }) => title === page);
    const isThere = Object.entries(properties).every(([name, value]) => row?.properties[name] === value);
    if (!isThere) await this.edit(page, properties);
    await this.idle();
    await db().notionEvent.deleteMany();
    await this.product.control('notion', 'DELETE', '/calls');
  }

  private rows(): Promise<{ id: string; title: string; properties: Record<string, unknown> }[]> {
    return this.product.control('notion', 'GET', '/rows?database=Sprint%20board');
  }

  async pageId(title: string): Promise<string> {
    return (await this.rows()).find((row) => row.title === title)?.id ?? '';
  }

  /** How often Notion was asked for a page. */
  async fetches(pageId: string): Promise<number> {
    const calls: Record<string, number> = await this.product.control('notion', 'GET', '/calls');
    return calls[`GET /v1/pages/${pageId}`] ?? 0;
  }

  /** The outcome of each event of the first account, in the order in which they happened. */
  async outcomes(): Promise<(string | null)[]> {
    const workspace = { account: { subject: { endsWith: '101' } } };
    const rows = await db().notionEvent.findMany({ where: { workspace }, orderBy: { occurredAt: 'asc' } });
    return rows.map(({ outcome }) => outcome);
  }

  /** Sends a signed event of the sprint board that Notion itself never sent. */
  async send(draft: Partial<Parameters<typeof notionEvent>[0]> & { pageId: string }): Promise<Response> {
    const { botId } = await db().notionWorkspace.findFirstOrThrow({ orderBy: { connectedAt: 'asc' } });
    const event = notionEvent({ dataSourceId: this.story.board.dataSourceId, bots: [botId], ...draft });
    return postToNotionDoor(this.product, JSON.stringify(event));
  }
}
