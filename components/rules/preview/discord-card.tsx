import type { ReactNode } from 'react';
import { LogoMark } from '@/components/brand/logo';
import { cn } from '@/lib/client/class-names';
import { formatTime } from '@/lib/client/format';

// Without a zone, so it shows as this time everywhere.
const SAMPLE_TIME = '2026-11-24T10:42';

// The bar of a card without a colour.
const DEFAULT_COLOR = '#1e1f22';

interface DiscordCardProps {
  sender: string;
  /** A channel as Discord writes it, "#design", or the recipient of a direct message. */
  place: string;
  /** The line above the card. */
  content?: ReactNode;
  /** Null for a compact card, which consists only of that line. */
  card: CardParts | null;
  buttons: string[];
  /** The menu above the buttons; absent without one. */
  menu?: ReactNode;
  /** The thread below the card, with a line; absent without one. */
  thread?: { name: string; line: string } | undefined;
  /** The post whose first message this is; absent outside forums. */
  post?: { name: string; tags: string[] } | undefined;
}

export interface CardParts {
  /** The line above the title: the icon and name of the database. A digest has none. */
  author?: ReactNode;
  /** Null without one, as in the digest of a person. */
  title: ReactNode | null;
  /** Whether the title leads nowhere, as in a list of pages. */
  isTitlePlain?: boolean;
  /** What changed, who did it and when. */
  lines: ReactNode[];
  fields: { name: ReactNode; value: ReactNode }[];
  /** Null without one, as in the digest of a person. */
  footer: string | null;
  /** Absent for Discord's own. */
  color?: string | undefined;
}

/** A message of the bot as Discord shows it, in Discord's own dark colours in either theme. */
export function DiscordCard(props: DiscordCardProps) {
  return (
    <div className="break-words rounded-xl bg-[#313338] p-4 text-[#dbdee1] text-sm shadow-float">
      <p className="mb-3 border-[#3f4147] border-b pb-2 font-semibold text-[#f2f3f5]">
        <span className="text-[#a3a6ad]">{props.place.startsWith('#') ? '# ' : '@ '}</span>
        {props.place.replace(/^#/, '')}
      </p>
      {props.post ? (
        <div className="mb-3">
          <p className="break-words font-semibold text-[#f2f3f5] text-base">{props.post.name}</p>
          {props.post.tags.map((tag) => (
            <span
              key={tag}
              className="mt-1 mr-1 inline-block max-w-full rounded bg-[#2b2d31] px-2 py-0.5 text-xs"
            >
              {tag}
            </span>
          ))}
        </div>
      ) : null}
      <div className="flex gap-3">
        <span className="grid size-9 shrink-0 place-items-center rounded-full bg-[#f4f1ea]">
          <LogoMark className="size-6 [&_.stroke-foreground]:stroke-[#26221c]" />
        </span>
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-center gap-1.5">
            <span className="font-medium text-[#f2f3f5]">{props.sender}</span>
            <span className="rounded bg-[#5865f2] px-1 font-medium text-[0.625rem] text-white leading-4">
              APP
            </span>
            <span className="text-[#a3a6ad] text-xs">Today at {formatTime(SAMPLE_TIME)}</span>
          </p>
          {props.content ? <p className="mt-0.5 break-words">{props.content}</p> : null}
          {props.card ? <Embed {...props.card} /> : null}
          {props.menu}
          {props.buttons.length > 0 ? (
            <div className="mt-2 flex flex-wrap gap-2">
              {props.buttons.map((label) => (
                <span
                  key={label}
                  className="max-w-full truncate rounded-md bg-[#4e5058] px-3 py-1.5 font-medium text-white text-xs"
                >
                  {label}
                </span>
              ))}
            </div>
          ) : null}
          {props.thread ? (
            <div className="mt-2 max-w-md rounded bg-[#2b2d31] px-3 py-2 text-xs">
              <p className="truncate font-semibold text-[#f2f3f5]">Thread: {props.thread.name}</p>
              <p className="mt-1 break-words">
                <span className="font-medium text-[#f2f3f5]">{props.sender}</span> {props.thread.line}
              </p>
            </div>
          ) : null}
        </div>
      </div>
    </div>
  );
}

function Embed(props: CardParts) {
  return (
    <div
      className="mt-1.5 max-w-md rounded bg-[#2b2d31] py-3 pr-4 pl-3"
      style={{ borderLeft: `4px solid ${props.color ?? DEFAULT_COLOR}` }}
    >
      {props.author ? (
        <p className="mb-1.5 break-words font-medium text-[#f2f3f5] text-xs">{props.author}</p>
      ) : null}
      {props.title === null ? null : (
        <p
          className={cn(
            'break-words font-semibold',
            props.isTitlePlain ? 'text-[#f2f3f5]' : 'text-[#38a9f8]',
          )}
        >
          {props.title}
        </p>
      )}
      {props.lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines have no ids and are rendered together
        <p key={index} className="break-words">
          {line}
        </p>
      ))}
      {props.fields.length > 0 ? (
        <div className="mt-2 grid grid-cols-2 gap-x-4 gap-y-2">
          {props.fields.map((field, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <div key={index} className="min-w-0">
              <p className="break-words font-semibold text-[#f2f3f5]">{field.name}</p>
              <p className="break-words">{field.value}</p>
            </div>
          ))}
        </div>
      ) : null}
      {props.footer === null ? null : (
        <p className="mt-2 break-words text-[#a3a6ad] text-xs">{props.footer}</p>
      )}
    </div>
  );
}
