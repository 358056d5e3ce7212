/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx';
import type { World } from '../world';
import { addressFor } from './address';

export interface MarkdownContext {
  world: World;
  guildId: string | null;
  viewerId: string;
  /** Titles and field names show no mentions and no links. */
  plainNames?: boolean;
  /** The text of a link shows backslashes and no links. */
  inLink?: boolean;
}

type Rule = [RegExp, (match: RegExpExecArray, context: MarkdownContext) => Child];

const within = (text: string | undefined, context: MarkdownContext) => inline(text ?? '', context);

const EVERYWHERE: Rule[] = [
  [/\\([\\*_~`|<>@#[\]()!:.\-+])/, (match) => match[1] ?? ''],
  [/``(.+?)``|`([^`\n]+)`/, (match) => <code>{match[1] ?? match[2]}</code>],
  [
    /\*\*\*(.+?)\*\*\*/s,
    (match, context) => (
      <strong>
        <em>{within(match[1], context)}</em>
      </strong>
    ),
  ],
  [/\*\*(.+?)\*\*/s, (match, context) => <strong>{within(match[1], context)}</strong>],
  [/__(.+?)__/s, (match, context) => <u>{within(match[1], context)}</u>],
  [/~~(.+?)~~/s, (match, context) => <s>{within(match[1], context)}</s>],
  [
    /\|\|(.+?)\|\|/s,
    (match, context) => (
      <span class="spoiler" tabindex={0}>
        {within(match[1], context)}
      </span>
    ),
  ],
  [/\*(?!\s)([^*]+?)(?<!\s)\*/, (match, context) => <em>{within(match[1], context)}</em>],
  [/(?<!\w)_([^_]+?)_(?!\w)/, (match, context) => <em>{within(match[1], context)}</em>],
];

const LINKS_AND_NAMES: Rule[] = [
  // A text with an address is no link.
  [
    /\[((?:(?!https?:\/\/\w\w)[^\]])+)\]\(<?(https?:\/\/[^\s)>]+)>?\)/,
    (match, context) => link(match[2] ?? '', within(match[1], { ...context, inLink: true }), context),
  ],
  [/<(https?:\/\/[^\s>]+)>/, (match, context) => link(match[1] ?? '', match[1] ?? '', context)],
  [/https?:\/\/[^\s<>)\]]+/, (match, context) => link(match[0], match[0], context)],
  [/<t:(-?\d{1,12})(?::([tTdDfFR]))?>/, (match) => timestamp(Number(match[1]), match[2] ?? 'f')],
  [/<@!?(\d{15,21})>/, (match, context) => userMention(match[1] ?? '', context)],
  [/<@&(\d{15,21})>/, (match, context) => roleMention(match[1] ?? '', context)],
  [/<#(\d{15,21})>/, (match, context) => channelMention(match[1] ?? '', context)],
  [/<\/([^:>]+):(\d{15,21})>/, (match) => <span class="mention">/{match[1]}</span>],
  [/@(?:everyone|here)\b/, (match) => <span class="mention">{match[0]}</span>],
];

/** Renders a text as Discord does: blocks first, then the markup inside them. */
export function Markdown({ text, context }: { text: string; context: MarkdownContext }) {
  return <>{text.split(/(```[\s\S]*?```)/).map((part) => block(part, context))}</>;
}

export function Inline({ text, context }: { text: string; context: MarkdownContext }) {
  return <>{inline(text, context)}</>;
}

function block(part: string, context: MarkdownContext): Child {
  const code = /^```(?:[\w-]+\n)?([\s\S]*?)```$/.exec(part);
  if (code) {
    return (
      <pre>
        <code>{code[1]?.replace(/^\n|\n$/g, '')}</code>
      </pre>
    );
  }
  const text = part.replace(/^\n|\n$/g, '');
  return text ? text.split('\n').map((each) => line(each, context)) : null;
}

function line(text: string, context: MarkdownContext): Child {
  const [, mark, rest] = /^(#{1,3} |-# |> |[-*] |\d+\. )(.*)$/.exec(text) ?? [];
  if (!mark) return <div class="line">{text ? inline(text, context) : <br />}</div>;
  const content = inline(rest ?? '', context);
  if (mark === '-# ') return <div class="subtext">{content}</div>;
  if (mark === '> ') return <blockquote>{content}</blockquote>;
  if (mark.startsWith('#')) return <div class={`heading h${mark.trim().length}`}>{content}</div>;
  return (
    <div class="bullet">
      <span aria-hidden="true">{/\d/.test(mark) ? mark : '•'}</span>
      <div>{content}</div>
    </div>
  );
}

function rulesIn({ inLink, plainNames }: MarkdownContext): Rule[] {
  if (inLink) return EVERYWHERE.slice(1);
  return plainNames ? EVERYWHERE : [...EVERYWHERE.slice(0, 2), ...LINKS_AND_NAMES, ...EVERYWHERE.slice(2)];
}

function inline(text: string, context: MarkdownContext): Child[] {
  const rules = rulesIn(context);
  const parts: Child[] = [];
  let rest = text;
  while (rest) {
    const first = firstMatch(rules, rest);
    if (!first) break;
    const [match, draw] = first;
    if (match.index > 0) parts.push(rest.slice(0, match.index));
    parts.push(draw(match, context));
    rest = rest.slice(match.index + match[0].length);
  }
  if (rest) parts.push(rest);
  return parts;
}

/** The rule that matches earliest; of two at the same position, the first in the list. */
function firstMatch(rules: Rule[], text: string): [RegExpExecArray, Rule[1]] | undefined {
  let best: [RegExpExecArray, Rule[1]] | undefined;
  for (const [pattern, draw] of rules) {
    const match = pattern.exec(text);
    if (match && (!best || match.index < best[0].index)) best = [match, draw];
  }
  return best;
}

function link(href: string, text: Child, { world, viewerId }: MarkdownContext) {
  const isOurs = href.startsWith(`${world.context.urls.discord}/channels/`);
  return (
    <a href={isOurs ? addressFor(viewerId, href) : href} target="_blank" rel="noreferrer">
      {text}
    </a>
  );
}

/** The page's script fills in the text, in the reader's own time zone. */
function timestamp(seconds: number, style: string) {
  const iso = new Date(seconds * 1000).toISOString();
  return (
    <time class="stamp" datetime={iso} data-style={style}>
      {iso.slice(0, 16).replace('T', ' ')}
    </time>
  );
}

function userMention(id: string, { world, viewerId }: MarkdownContext) {
  const user = world.user(id);
  return (
    <span class={id === viewerId ? 'mention me' : 'mention'}>@{user?.globalName ?? 'unknown-user'}</span>
  );
}

function roleMention(id: string, { world, guildId }: MarkdownContext) {
  const role = world.guild(guildId)?.roles.find((each) => each.id === id);
  return <span class="mention">@{role?.name ?? 'unknown-role'}</span>;
}

function channelMention(id: string, { world, viewerId }: MarkdownContext) {
  const channel = world.channel(id);
  if (!channel?.guildId) return <span class="mention">#unknown</span>;
  return (
    <a class="mention" href={addressFor(viewerId, `/channels/${channel.guildId}/${id}`)}>
      #{channel.name}
    </a>
  );
}
