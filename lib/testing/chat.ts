import type { StoredInteraction, StoredMessage } from '../../sandbox/discord/state';
import { PEOPLE, type Person } from '../../sandbox/people';
import { eventually, type TestProduct } from './product';

const LOADING = 1 << 7;

/** A message as the channel shows it. */
export interface ShownMessage
  extends Pick<StoredMessage, 'id' | 'channelId' | 'content' | 'edits' | 'flags'> {
  embeds: { title?: string; description?: string; url?: string }[];
  components: { components: Control[] }[];
  pings: { users: string[] };
  ephemeralFor: string | null;
  interactionId: string | null;
}

interface ShownField {
  type: number;
  custom_id: string;
  value?: string;
  options?: { label: string; value: string; description?: string }[];
}

/** An interaction, with its modal if it opened one. */
export interface ShownInteraction
  extends Pick<
    StoredInteraction,
    'id' | 'token' | 'channelId' | 'userId' | 'originalId' | 'status' | 'problem'
  > {
  guildId: string;
  modal: { title: string; components: { label: string; description?: string; component: ShownField }[] };
}

interface PageAnswer {
  error?: string;
  problem?: string;
  choices?: { name: string; value: string }[];
  interactionId?: string;
}

/** A person at the sandbox's Discord page, in one channel. */
export class Chatter {
  constructor(
    private readonly product: TestProduct,
    readonly person: Person['key'],
    readonly channelId: string,
  ) {}

  get userId(): string {
    return PEOPLE.find(({ key }) => key === this.person)?.discordId ?? '';
  }

  /** Acts on the page, as the page's own script does. */
  async act(path: string, body: object): Promise<PageAnswer> {
    const response = await fetch(`${this.product.sandbox.context.urls.discord}/_page/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ person: this.person, channelId: this.channelId, ...body }),
    });
    return response.json();
  }

  /** Runs a subcommand of /notion. */
  run(subcommand: string, values: Record<string, string> = {}): Promise<PageAnswer> {
    return this.act('command', { label: `notion ${subcommand}`, values });
  }

  suggest(subcommand: string, option: string, typed: string): Promise<PageAnswer> {
    const values = { [option]: typed };
    return this.act('command', { label: `notion ${subcommand}`, values, focused: option });
  }

  press(message: ShownMessage, label: string): Promise<PageAnswer> {
    const button = controlsOf(message).find((each) => each.label === label);
    if (!button) throw new Error(`There is no button "${label}"`);
    return this.act('component', { messageId: message.id, customId: button.custom_id });
  }

  choose(message: ShownMessage, label: string): Promise<PageAnswer> {
    const select = controlsOf(message).find(({ options }) => options);
    const option = select?.options?.find((each) => each.label === label);
    if (!select || !option) throw new Error(`There is no choice "${label}"`);
    return this.act('component', {
      messageId: message.id,
      customId: select.custom_id,
      values: [option.value],
    });
  }

  submit(interactionId: string | undefined, values: Record<string, string[]>): Promise<PageAnswer> {
    return this.act('modal', { interactionId, values });
  }

  /** The newest interaction of this person, with its modal if it opened one. */
  async lastInteraction(): Promise<ShownInteraction> {
    const { interactions }: { interactions: ShownInteraction[] } = await this.product.control(
      'discord',
      'GET',
      '/interactions',
    );
    const last = interactions.findLast(({ userId }) => userId === this.userId);
    if (!last) throw new Error('This person has done nothing yet');
    return last;
  }

  /** The answer to this person's newest interaction, once nothing is "thinking" any more. Throws if it failed. */
  async answer(isWanted: (message: ShownMessage) => boolean = () => true): Promise<ShownMessage> {
    return eventually(async () => {
      const { id, originalId, status, problem } = await this.lastInteraction();
      if (status === 'failed') throw new Error(`${problem}`);
      const messages = await this.everything();
      const message = messages.find((each) => each.id === originalId || each.interactionId === id);
      return message && (message.flags & LOADING) === 0 && isWanted(message) && message;
    });
  }

  /** Every message of the channel, including those that only one person sees. */
  async everything(): Promise<ShownMessage[]> {
    const { messages } = await this.product.control('discord', 'GET', `/channels/${this.channelId}/messages`);
    return messages;
  }
}

interface Control {
  custom_id?: string;
  label?: string;
  disabled?: boolean;
  options?: { label: string; value: string; description?: string }[];
}

/** The buttons and menus of a message. */
export function controlsOf(message: { components: { components: Control[] }[] }): Control[] {
  return message.components.flatMap((row) => row.components);
}
