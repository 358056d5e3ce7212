import { db } from '@/lib/db/database';
import type { Account } from '@/lib/db/generated/client';
import { limitOutsideCalls } from '@/lib/http/limit-account';
import type { MessageBody } from '@/lib/integrations/discord/discord-messages';
import { type Preview, previewSchema } from '../deliveries/schema';
import { composeDraftCard } from './draft-card';
import type { RuleInput } from './schema';

/** The card of a draft rule for an existing page, as Discord would draw it. Throws what createRule throws. */
export async function previewRule(account: Account, input: RuleInput): Promise<Preview> {
  await limitOutsideCalls(account.id);
  const { message, channelName, note } = await composeDraftCard(account, input);
  return previewSchema.parse({
    channelName,
    content: message.content ?? null,
    embed: message.embeds?.[0],
    buttons: labelsOf(message),
    names: await findNames(account.id, JSON.stringify(message)),
    note,
  });
}

function labelsOf({ components = [] }: MessageBody): string[] {
  return components.flatMap((row) =>
    'components' in row
      ? row.components.flatMap((part) => ('label' in part && part.label ? [part.label] : []))
      : [],
  );
}

async function findNames(accountId: string, text: string): Promise<Record<string, string>> {
  const ids = [...text.matchAll(/<@(\d+)>/g)].flatMap(([, id]) => id ?? []);
  const links = await db().accountLink.findMany({ where: { accountId, discordUserId: { in: ids } } });
  return Object.fromEntries(links.map((link) => [link.discordUserId, link.notionDisplayName]));
}
