import type { ReactNode } from 'react';
import { formatExactTime } from '@/lib/client/format';
import { relativeTime } from '@/lib/time';

// The markup that our cards use: links, bold text, mentions, times, URLs and escaped characters.
const TOKEN =
  /\[((?:\\.|[^\]\\])+)\]\((?:<https?:\/\/[^\s<>]+>|https?:\/\/[^\s<>()]+)\)|\*\*((?:\\.|[^*\\])+)\*\*|<@(&?)(\d+)>|<t:(\d+):([Rf])>|(https?:\/\/[^\s<]+)|\\([\\*_~`|[\]<>#+.)-])/g;

/** A card's text as Discord shows it to the reader. `names` and `roles` map mentioned ids to names. */
export function DiscordText({
  text,
  names,
  roles,
}: {
  text: string;
  names: Record<string, string>;
  roles: Record<string, string>;
}) {
  const parts: ReactNode[] = [];
  let from = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [whole, linked, bold, isRole, mentioned, seconds, style, link, character] = match;
    parts.push(text.slice(from, match.index));
    from = match.index + whole.length;
    if (linked) {
      parts.push(
        <LinkText key={from}>
          <DiscordText text={linked} names={names} roles={roles} />
        </LinkText>,
      );
    } else if (bold) {
      parts.push(
        <strong key={from}>
          <DiscordText text={bold} names={names} roles={roles} />
        </strong>,
      );
    } else if (mentioned) {
      const name = isRole ? (roles[mentioned] ?? 'a role') : (names[mentioned] ?? 'someone');
      parts.push(<Mark key={from}>@{name}</Mark>);
    } else if (seconds) parts.push(<Time key={from} seconds={Number(seconds)} isRelative={style === 'R'} />);
    else if (link) parts.push(<LinkText key={from}>{link}</LinkText>);
    else parts.push(character);
  }
  parts.push(text.slice(from));
  return parts;
}

/** A quoted line, such as a comment. */
export function Quote({ children }: { children: ReactNode }) {
  return <span className="block border-[#4e5058] border-l-4 pl-2.5">{children}</span>;
}

export function LinkText({ children }: { children: ReactNode }) {
  return <span className="text-[#38a9f8]">{children}</span>;
}

/** A line of a list. */
export function Bullet({ children }: { children: ReactNode }) {
  return <span className="ml-4 list-item list-disc">{children}</span>;
}

function Mark({ children }: { children: ReactNode }) {
  return <span className="rounded bg-[#3c4270] px-0.5 font-medium text-[#c9cdfb]">{children}</span>;
}

function Time({ seconds, isRelative }: { seconds: number; isRelative: boolean }) {
  const at = new Date(seconds * 1000);
  const exact = formatExactTime(at.toISOString());
  return (
    <span className="rounded bg-[#3a3c42] px-0.5" title={exact}>
      {isRelative ? relativeTime(at, new Date()).toLowerCase() : exact}
    </span>
  );
}
