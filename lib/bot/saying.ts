import { z } from 'zod';

// Discord adds new kinds of components: an unknown one must not make us lose the others.
export const maybe = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);

export const userSchema = z.object({
  id: z.string(),
  username: z.string(),
  global_name: z.string().nullish(),
  avatar: z.string().nullish(),
});

const layoutSchema = z.object({
  content: z.string().catch(''),
  get components() {
    return z.array(layoutSchema).optional();
  },
});

const pollTextSchema = z.object({ text: z.string().catch('') });

export const saidSchema = z.object({
  content: z.string().catch(''),
  mentions: z.array(userSchema).catch([]),
  embeds: z.array(z.object({ title: z.string().catch(''), description: z.string().catch('') })).catch([]),
  /** The layout of a message without content of its own; only texts have content in it. */
  components: z.array(layoutSchema).catch([]),
  poll: maybe(
    z.object({
      question: pollTextSchema,
      answers: z.array(z.object({ poll_media: pollTextSchema })).catch([]),
    }),
  ),
});

type Said = z.infer<typeof saidSchema>;

// https://discord.com/developers/docs/reference#message-formatting
const PERSON_OR_EMOJI = /<@!?(\d+)>|<a?(:\w+:)\d+>/g;

/** What a message says, with people and emoji by name. */
export const sayingOf = (said: Said): string =>
  textOf(said).replace(PERSON_OR_EMOJI, (markup, userId, emoji) => {
    const user = said.mentions.find((each) => each.id === userId);
    return emoji ?? (user ? `@${user.global_name ?? user.username}` : markup);
  });

function textOf({ content, components, poll }: Said): string {
  const polled = poll ? [poll.question, ...poll.answers.map((answer) => answer.poll_media)] : [];
  const texts = [content, ...components.flatMap(textsIn), ...polled.map(({ text }) => text)];
  return texts.filter((text) => text.trim()).join('\n');
}

const textsIn = ({ content, components = [] }: z.infer<typeof layoutSchema>): string[] => [
  content,
  ...components.flatMap(textsIn),
];
