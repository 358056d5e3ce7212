import { PEOPLE, type Person } from '../../sandbox/people';
import { eventually, type TestProduct } from './product';

const LOADING = 1 << 7;

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

  /** Does something on the page, as the page's own script does. */
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

  // biome-ignore lint/suspicious/noExplicitAny: what a message holds is what the tests look into.
  press(message: any, label: string): Promise<PageAnswer> {
    const button = controlsOf(message).find((each) => each.label === label);
    if (!button) throw new Error(`There is no button "${label}"`);
    return this.act('component', { messageId: message.id, customId: button.custom_id });
  }

  // biome-ignore lint/suspicious/noExplicitAny: what a message holds is what the tests look into.
  choose(message: any, label: string): Promise<PageAnswer> {
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
  // biome-ignore lint/suspicious/noExplicitAny: what an interaction holds is what the tests look into.
  async lastInteraction(): Promise<any> {
    const { interactions } = await this.product.control('discord', 'GET', '/interactions');
    return interactions.findLast(({ userId }: { userId: string }) => userId === this.userId);
  }

  /** What this person's newest interaction was answered with, once nobody is "thinking" any more. */
  // biome-ignore lint/suspicious/noExplicitAny: what a message holds is what the tests look into.
  async answer(isWanted: (message: any) => boolean = () => true): Promise<any> {
    return eventually(async () => {
      const { id, originalId } = await this.lastInteraction();
      const messages = await this.everything();
      const message = messages.find((each) => each.id === originalId || each.interactionId === id);
      return message && (message.flags & LOADING) === 0 && isWanted(message) && message;
    });
  }

  /** Every message of the channel, also those that one person alone sees. */
  // biome-ignore lint/suspicious/noExplicitAny: what a message holds is what the tests look into.
  async everything(): Promise<any[]> {
    const { messages } = await this.product.control('discord', 'GET', `/channels/${this.channelId}/messages`);
    return messages;
  }
}

interface Control {
  custom_id?: string;
  label?: string;
  options?: { label: string; value: string; description?: string }[];
}

/** The buttons and menus of a message. */
export function controlsOf(message: { components: { components: Control[] }[] }): Control[] {
  return message.components.flatMap((row) => row.components);
}
