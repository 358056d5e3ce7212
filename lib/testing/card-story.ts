import { expect } from 'vitest';
import { db } from '@/lib/db/database';
import { Chatter, type ShownMessage } from './chat';
import { eventually, startConnectedProduct } from './product';

const ALLEY_GUILD = '1102000000000000001';
const ALLEY_CHANNEL = '1102000000000000201';

/** Two accounts with people in chat, a running worker, and rules of one account that post cards in two channels. */
export class CardStory {
  private constructor(
    readonly connected: Awaited<ReturnType<typeof startConnectedProduct>>,
    readonly mira: Chatter,
    readonly jonas: Chatter,
    /** A person of the other account, in its own server. */
    readonly vera: Chatter,
  ) {}

  static async start(): Promise<CardStory> {
    const connected = await startConnectedProduct();
    const { product, channel } = connected;
    await product.work();
    const mira = new Chatter(product, 'mira', channel('tasks'));
    const jonas = new Chatter(product, 'jonas', channel('tasks'));
    await eventually(async () => !(await mira.run('help')).error);
    await product.installBot('vera', ALLEY_GUILD);
    await product.connectNotion('vera', [(await product.databases()).get('Night market')?.id ?? '']);
    const story = new CardStory(connected, mira, jonas, new Chatter(product, 'vera', ALLEY_CHANNEL));
    for (const name of ['tasks', 'general']) await story.addRule(channel(name));
    return story;
  }

  get product() {
    return this.connected.product;
  }

  private async addRule(channelId: string): Promise<void> {
    const { board, property } = this.connected;
    const answer = await this.product.call('mira', 'POST', '/api/app/rules', {
      databaseId: board.dataSourceId,
      eventType: 'page_updated',
      channelId,
      watchedProperties: [property('Status'), property('Assignee'), property('Estimate')],
      displayedFields: [property('Priority')],
      statusTo: [],
    });
    expect(answer.status).toBe(201);
  }

  /** The cards of the page with this title in a channel, oldest first, once no edit of a card waits. */
  async cards(channel: string, title: string) {
    await eventually(
      async () => (await db().message.count({ where: { kind: 'edit', state: 'waiting' } })) === 0,
    );
    const messages = await this.product.messages(this.connected.channel(channel));
    return messages.filter(({ embeds }) => embeds[0]?.title === title);
  }

  /** Waits until nothing is left to do. */
  async idle(): Promise<void> {
    await eventually(async () => {
      const { untold } = await this.product.control('notion', 'GET', '/untold');
      const [row] = await db().$queryRaw<{ n: number }[]>`
        select (select count(*) from graphile_worker.jobs)::int + (select count(*) from channel_turn)::int
          + (select count(*) from page_turn where due_at <= now() or leased_until > now())::int as n`;
      return row?.n === 0 && untold === 0;
    });
  }

  /** Adds a row and changes it once in Notion. Returns the card that this posts in #tasks. */
  async card(title: string, properties: Record<string, unknown> = {}): Promise<ShownMessage> {
    const made = {
      database: this.connected.board.id,
      properties: { Name: title, Status: 'Backlog', ...properties },
    };
    const { id } = await this.product.control('notion', 'POST', '/rows', made);
    // An edit within the same moment would count as part of the creation.
    await eventually(async () => {
      const events: { payload: { entity: { id: string } } }[] = await this.product.control(
        'notion',
        'GET',
        '/events',
      );
      return events.some(({ payload }) => payload.entity.id === id);
    });
    await this.idle();
    await this.product.control('notion', 'PATCH', '/rows', { page: title, properties: { Estimate: 3 } });
    const posted = await eventually(async () => (await this.cards('tasks', title))[0]);
    await eventually(async () => (await this.cards('general', title)).length > 0);
    await this.idle();
    return posted;
  }

  /** The properties of a row as Notion has them now. */
  async row(title: string): Promise<Record<string, unknown> | undefined> {
    const all: { title: string; properties: Record<string, unknown> }[] = await this.product.control(
      'notion',
      'GET',
      `/rows?database=${this.connected.board.id}`,
    );
    return all.find((each) => each.title === title)?.properties;
  }

  /** Changes the status with the button of a card and the menu that follows. Returns the answer. */
  async setStatus(person: Chatter, of: ShownMessage, status: string): Promise<ShownMessage> {
    await person.press(of, 'Change status');
    const menu = await person.answer();
    const answer = await person.choose(menu, status);
    expect(answer.error).toBeUndefined();
    return person.answer(({ content }) => content !== menu.content);
  }
}
