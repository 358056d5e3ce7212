import { ChannelType } from 'discord-api-types/v10';
import { expect } from 'vitest';
import type { Pipeline } from './pipeline';

/** The tags of the forums: the statuses of the pages. */
export const TAGS = ['Backlog', 'In progress', 'In review', 'Done'];

interface Post {
  name: string;
  messages: { content: string; embeds: { description: string }[] }[];
}

/** Checks that the lines below a card, if there are any, count up to its page's last number. */
export function countUpTo(last: number | undefined, lines: string[]): void {
  const told = lines.map((line) => Number(/ to (\d+)$/.exec(line)?.[1]));
  expect(told).toEqual([...new Set(told)].toSorted((one, other) => one - other));
  if (told.length > 0) expect(told.at(-1)).toBe(last);
}

/**
 * Two forums with a rule each that watches the number of `CountedChanges`; their tags are the statuses. One keeps the
 * first message of each post up to date and tells later changes below it, the other has a message in the post for each
 * change.
 */
export class CountedPosts {
  private constructor(
    private readonly pipeline: Pipeline,
    private readonly living: string,
    private readonly each: string,
  ) {}

  static async begin(pipeline: Pipeline): Promise<CountedPosts> {
    const [living, each] = [await addForum(pipeline), await addForum(pipeline)];
    await pipeline.lookAnew();
    const terms = {
      watchedProperties: [pipeline.story.property('Estimate')],
      destination: { kind: 'forum', tagPropertyId: 'Status' },
    };
    await pipeline.rule({ ...terms, channelId: living, card: 'living' });
    await pipeline.rule({ ...terms, channelId: each });
    return new CountedPosts(pipeline, living, each);
  }

  /** Checks that each changed page has one post in each forum, which ends with its last number. */
  async areTrue(values: ReadonlyMap<string, number>): Promise<void> {
    const changed = [...values].filter(([, value]) => value > 0).map(([title]) => title);
    for (const forum of [this.living, this.each]) {
      const names = (await this.posts(forum)).map(({ name }) => name);
      expect(names.toSorted()).toEqual(changed.toSorted());
    }
    for (const { name, messages } of await this.posts(this.living)) {
      const [first, ...lines] = messages;
      expect(linesOf(first)).toContain(`Estimate: ${values.get(name)}`);
      countUpTo(
        values.get(name),
        lines.map(({ content }) => content),
      );
    }
    for (const { name, messages } of await this.posts(this.each)) {
      const told = messages
        .slice(1)
        .map((message) => /^Estimate: (\d+) → (\d+)$/.exec(linesOf(message)[0] ?? ''));
      const befores = told.map((match) => match?.[1]);
      const afters = told.map((match) => match?.[2]);
      expect(befores.slice(1)).toEqual(afters.slice(0, -1));
      if (told.length > 0) expect(Number(afters.at(-1))).toBe(values.get(name));
    }
  }

  /** How many notifications they count as: one for each post. */
  async count(): Promise<number> {
    return (await this.posts(this.living)).length + (await this.posts(this.each)).length;
  }

  private async posts(forum: string): Promise<Post[]> {
    return (await this.pipeline.story.product.control('discord', 'GET', `/channels/${forum}/posts`)).posts;
  }
}

const linesOf = (message: Post['messages'][number] | undefined) =>
  message?.embeds[0]?.description.split('\n') ?? [];

async function addForum({ story }: Pipeline): Promise<string> {
  const forum = { name: 'board', type: ChannelType.GuildForum };
  const { id } = await story.product.control('discord', 'POST', `/guilds/${story.guild.id}/channels`, forum);
  await story.product.control('discord', 'PUT', `/channels/${id}/forum`, {
    tags: TAGS.map((name) => ({ name })),
  });
  return id;
}
