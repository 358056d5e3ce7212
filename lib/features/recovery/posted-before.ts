import { isolate, withoutMarks } from '@/lib/bidi';
import {
  listOwnMessages,
  type MessageBody,
  type PostedMessage,
} from '@/lib/integrations/discord/discord-messages';
import { madeAt } from '@/lib/integrations/discord/snowflake';
import { changeInWords } from '../cards/words';
import { EVENT_NAMES } from '../matching/words';

type Embed = Pick<PostedMessage['embeds'][number], 'url' | 'description' | 'footer'>;

/** A message without a card, and what it replies to. */
type Line = Pick<MessageBody, 'content'> & {
  message_reference?: { message_id?: string | undefined } | undefined;
};

// A page may have many comments and edits, so another card of such a rule says nothing about this one.
const TELLS_ONE_EVENT = new RegExp(
  `(${[EVENT_NAMES.comment_created, EVENT_NAMES.content_updated].join('|')})$`,
);

/** What a message says: of a line its text, of a card, which may be a digest, what it is about and its description. */
function gistOf(embed: Embed | undefined, { content, message_reference }: Line): string {
  if (!embed) return `${message_reference?.message_id ?? ''} ${content?.trim() ?? ''}`;
  const about = keyOf(embed) ?? withoutMarks(embed.footer?.text ?? '').trim();
  return `${about}\n${withoutMarks(embed.description ?? '').trim()}`;
}

/** What a card says of one property. */
interface Change {
  name: string;
  before: string | null;
  after: string;
}

interface LastCard {
  /** Discord's id of the last card. */
  messageId: string;
  /** The value of each property that the cards told last. */
  values: Map<string, string>;
}

// A call reads a hundred messages, so this is 10,000 of a channel.
const MAX_CALLS = 100;

/** What is left of a card: nothing, if a message has said it all; otherwise the card without it. */
type Left = { saidIn: string } | { card: MessageBody };

/**
 * What the bot's cards in a channel have told about each page under each rule since a time. Read from Discord,
 * because the database has forgotten it; each question reads the messages that are new in the channel.
 */
export class PostedHistory {
  private readonly told = new PostedCards();

  constructor(
    private readonly accountId: string,
    private readonly channelId: string,
    private since: Date,
  ) {}

  /** What is left to say of a card. Throws DiscordError. */
  async leftOf(card: MessageBody): Promise<Left> {
    const posted = await listOwnMessages(this.accountId, this.channelId, this.since, MAX_CALLS);
    const last = posted.at(-1);
    if (last) this.since = madeAt(last.id);
    this.told.add(posted);
    return this.told.leftOf(card);
  }

  /** Discord's id of the last card about the same page under the same rule, as last read; null for none. */
  lastLike(card: MessageBody): string | null {
    return this.told.lastLike(card);
  }
}

/** What cards have told, in the order in which they were posted. */
export class PostedCards {
  private readonly told = new Map<string, LastCard>();
  /** Ids of all messages, by what they say. */
  private readonly gists = new Map<string, string>();

  /** What is left to say of a card: only its changes since the last card about the page. */
  leftOf(card: MessageBody): Left {
    const [embed, ...others] = (card.embeds ?? []) as Embed[];
    const key = embed && keyOf(embed);
    if (!embed || !key || TELLS_ONE_EVENT.test(embed.footer?.text ?? '')) {
      const same = this.gists.get(gistOf(embed, card));
      return same ? { saidIn: same } : { card };
    }
    const told = this.told.get(key);
    if (!told) return { card };
    const { changes, lastLine } = parse(embed);
    const left = changes.filter(({ name, after }) => told.values.get(name) !== after);
    if (left.length === 0) return { saidIn: told.messageId };
    const lines = left.map((change) =>
      lineOf({ ...change, before: told.values.get(change.name) ?? change.before }),
    );
    const description = [...lines, lastLine].join('\n');
    return { card: { ...card, embeds: [{ ...embed, description }, ...others] as MessageBody['embeds'] } };
  }

  /** Discord's id of the last card about the same page under the same rule; null for none. */
  lastLike({ embeds }: MessageBody): string | null {
    const [embed] = (embeds ?? []) as Embed[];
    const key = embed && keyOf(embed);
    return key ? (this.told.get(key)?.messageId ?? null) : null;
  }

  /** Adding a card again changes nothing. */
  add(posted: (Pick<PostedMessage, 'id' | 'embeds'> & Line)[]): void {
    for (const { id: messageId, embeds, content, message_reference } of posted) {
      const [embed] = embeds;
      if (embed || content) this.gists.set(gistOf(embed, { content, message_reference }), messageId);
      const key = embed && keyOf(embed);
      if (!embed || !key) continue;
      const values = this.told.get(key)?.values ?? new Map<string, string>();
      for (const { name, after } of parse(embed).changes) values.set(name, after);
      this.told.set(key, { messageId, values });
    }
  }
}

/**
 * Identifies a card by its page, whose address ends with its id, and by its footer, which names the rule. Older cards lack
 * the marks of a name's direction.
 */
function keyOf({ url, footer }: Embed): string | null {
  if (!url || !footer?.text) return null;
  const [pageId] = /[0-9a-f]{32}$/.exec(url.replace(/[?#].*/, '').replaceAll('-', '')) ?? [url];
  return `${pageId} ${withoutMarks(footer.text).trim()}`;
}

/** The changes that a card lists, and the line below them, which says who and when. */
function parse({ description }: Embed): { changes: Change[]; lastLine: string } {
  const lines = (description ?? '').split('\n');
  const lastLine = lines.pop() ?? '';
  const changes: Change[] = [];
  for (const line of lines) {
    const [, name, before, after] = /^(.*?): (?:(.*) → )?(.*)$/.exec(line) ?? [];
    const last = changes.at(-1);
    if (name !== undefined && after !== undefined) changes.push({ name, before: before ?? null, after });
    else if (last) last.after += `\n${line}`;
  }
  return { changes: changes.map(isolated), lastLine };
}

/** With the marks of the texts' directions, which older cards lack. */
const isolated = ({ name, before, after }: Change): Change => ({
  name: isolate(name),
  before: before === null ? null : isolate(before),
  after: isolate(after),
});

const lineOf = ({ name, before, after }: Change) =>
  changeInWords({ name: () => name, before: before === null ? null : () => before, after: () => after });
