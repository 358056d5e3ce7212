import { z } from 'zod';
import { open, seal } from '@/lib/crypto';
import { db, type Transaction } from '@/lib/db/database';
import { type FurtherPages, findScreen, PAGES_PER_SCREEN } from '../cards/digest-card';
import { type ListedPage, MAX_LISTED, summaryLines } from '../cards/summary-card';

export const purposeOf = (messageId: string) => `summary-list:${messageId}`;

const pagesSchema = z.array(
  z.object({
    id: z.string(),
    title: z.string(),
    url: z.string().nullable(),
    changes: z.array(z.object({ name: z.string(), before: z.string().nullable(), after: z.string() })),
  }),
);

/** Stores the pages of a summary that has more than its message shows. */
export async function keepList(
  tx: Transaction,
  { messageId, accountId, ruleId }: { messageId: string; accountId: string; ruleId: string },
  pages: ListedPage[],
): Promise<void> {
  if (pages.length <= PAGES_PER_SCREEN) return;
  const listed = pages
    .slice(0, MAX_LISTED)
    .map(({ id, title, url, changes }) => ({ id, title, url, changes }));
  const sealedPages = seal(JSON.stringify(listed), purposeOf(messageId));
  await tx.summaryList.create({ data: { messageId, accountId, ruleId, sealedPages } });
}

/** The pages of a list. Throws when the bytes were sealed for another message. */
export const openList = (messageId: string, sealed: Uint8Array): ListedPage[] =>
  pagesSchema.parse(JSON.parse(open(sealed, purposeOf(messageId))));

/** Who may ask for further pages: anybody in the channel of the message, or the linked person to whom it was sent. */
type Reader = { guildId: string; channelId: string } | { discordUserId: string };

/** Further pages of a summary, for those who can read its message. Null when they are no longer kept. */
export async function readMoreOfSummary(
  reader: Reader,
  messageId: string,
  wanted: number,
): Promise<(FurtherPages & { shown: ListedPage[] }) | null> {
  if (!z.uuid().safeParse(messageId).success) return null;
  const [list] = await findList(reader, messageId);
  if (!list) return null;
  const pages = openList(messageId, list.sealedPages);
  const place = findScreen(wanted, pages.length);
  const shown = pages.slice(place.from - 1, place.from - 1 + PAGES_PER_SCREEN);
  const to = place.from + shown.length - 1;
  return { ...place, lines: summaryLines(shown), shown, to, isCut: pages.length === MAX_LISTED };
}

function findList(reader: Reader, messageId: string): Promise<{ sealedPages: Uint8Array }[]> {
  if ('discordUserId' in reader) {
    return db().$queryRaw`
      select l.sealed_pages as "sealedPages" from summary_list l
      join message m on m.id = l.message_id and m.kind = 'letter' and m.state = 'sent'
      join conversation c on c.id::text = m.target_id and c.discord_user_id = ${reader.discordUserId}
      join account_link k on k.account_id = l.account_id and k.discord_user_id = c.discord_user_id
      where l.message_id = ${messageId}::uuid limit 1`;
  }
  return db().$queryRaw`
    select l.sealed_pages as "sealedPages" from summary_list l
    join message m on m.id = l.message_id and m.kind = 'post' and m.state = 'sent'
    join discord_server s on s.account_id = l.account_id and s.guild_id = ${reader.guildId}
    where l.message_id = ${messageId}::uuid and ${reader.channelId} in (m.target_id, m.discord_message_id) limit 1`;
}
