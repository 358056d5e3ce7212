'use client';

import { PRODUCT } from '@/components/brand/product';
import { Picture } from '@/components/ui/picture';
import type { Preview } from '@/lib/features/drafts/schema';
import { DiscordCard } from './discord-card';
import { DiscordMenu } from './discord-menu';
import { Bullet, DiscordText, Quote } from './discord-text';

const QUOTED = '> ';
const LISTED = '- ';

/** A card as the bot would post it, rendered from the exact message that Discord would receive. */
export function RealCard({ preview }: { preview: Preview }) {
  const { embed, names, roles, place, content, buttons, menu, post } = preview;
  const line = (value: string) => {
    if (value.startsWith(QUOTED)) return <Quote>{text(value.slice(QUOTED.length))}</Quote>;
    if (value.startsWith(LISTED)) return <Bullet>{text(value.slice(LISTED.length))}</Bullet>;
    return text(value);
  };
  const text = (value: string) => <DiscordText text={value} names={names} roles={roles} />;
  return (
    <DiscordCard
      sender={PRODUCT}
      place={place}
      post={post ?? undefined}
      content={content === null ? null : text(content)}
      card={
        embed && {
          author: embed.author && (
            <span className="inline-flex items-center gap-1.5">
              <Picture src={embed.author.icon_url ?? null} className="size-5 rounded-full">
                {null}
              </Picture>
              {embed.author.name}
            </span>
          ),
          title: embed.title === undefined ? null : text(embed.title),
          isTitlePlain: embed.url === undefined,
          lines: (embed.description ?? '').split('\n').map(line),
          fields: (embed.fields ?? []).map(({ name, value }) => ({ name: text(name), value: text(value) })),
          footer: embed.footer?.text ?? null,
          color: embed.color === undefined ? undefined : `#${embed.color.toString(16).padStart(6, '0')}`,
        }
      }
      buttons={buttons}
      menu={menu === null ? null : <DiscordMenu text={menu} />}
    />
  );
}
