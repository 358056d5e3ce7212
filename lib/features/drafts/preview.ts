import { db } from '@/lib/db/database';
import type { Account } from '@/lib/db/generated/client';
import { limitOutsideCalls } from '@/lib/http/limit-account';
import type { MessageBody } from '@/lib/integrations/discord/discord-messages';
import type { RuleInput } from '../rules/schema';
import { lastSeenRoles } from '../servers/roles';
import { composeDraftCard } from './draft-card';
import { type Preview, previewSchema } from './schema';

/** The card of a draft rule for an existing page, as Discord would draw it. Throws what createRule throws. */
export async function previewRule(account: Account, input: RuleInput): Promise<Preview> {
  await limitOutsideCalls(account.id);
  const { message, channelName, place, note, tags } = await composeDraftCard(account, input);
  const { post } = message;
  return previewSchema.parse({
    post: post ? { name: post.name, tags } : null,
    channelName: channelName || null,
    place,
    content: message.content ?? null,
    embed: message.embeds?.[0] ?? null,
    buttons: textsOf(message, 'label'),
    menu: textsOf(message, 'placeholder')[0] ?? null,
    ...(await findNames(account.id, JSON.stringify(message))),
    note,
  });
}

/** The texts of the buttons or the menus below a message. */
function textsOf({ components = [] }: MessageBody, name: 'label' | 'placeholder'): string[] {
  const parts = components.flatMap((row): object[] => ('components' in row ? row.components : []));
  return parts.flatMap((part) => {
    const text = name in part ? (part as Record<string, unknown>)[name] : null;
    return typeof text === 'string' ? [text] : [];
  });
}

/** The names of the Discord users and the roles that a text mentions, by their ids. */
async function findNames(accountId: string, text: string) {
  const ids = (mention: RegExp) => [...text.matchAll(mention)].flatMap(([, id]) => id ?? []);
  const discordUserId = { in: ids(/<@(\d+)>/g) };
  const roleIds = ids(/<@&(\d+)>/g);
  const [links, server] = await Promise.all([
    db().accountLink.findMany({ where: { accountId, discordUserId } }),
    roleIds.length > 0 ? db().discordServer.findFirst({ where: { accountId } }) : null,
  ]);
  const roles = server ? lastSeenRoles(server).filter(({ id }) => roleIds.includes(id)) : [];
  return {
    names: Object.fromEntries(links.map((link) => [link.discordUserId, link.notionDisplayName])),
    roles: Object.fromEntries(roles.map(({ id, name }) => [id, name])),
  };
}
