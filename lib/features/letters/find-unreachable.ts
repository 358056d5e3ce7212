import { db } from '@/lib/db/database';
import type { Destination } from '../matching/schema';
import { schemaOf } from '../workspaces/database-schema';

interface Unreachable {
  reason: string;
  fix: string | null;
}

interface ToPeople {
  id: string;
  destination: unknown;
  database?: { properties: unknown; name: string } | null;
}

const HOW_TO_ASK = 'They can do so with /notion notify in Discord.';

/** Why rules to people reach nobody now, by rule id. Has no entry for rules that do, or whose people are unknown. */
export async function findUnreachable(
  accountId: string,
  rules: ToPeople[],
): Promise<Map<string, Unreachable>> {
  const found = new Map<string, Unreachable>();
  const links = rules.length > 0 ? await db().accountLink.findMany({ where: { accountId } }) : [];
  for (const { id, destination, database } of rules) {
    const to = destination as Destination;
    if (to.kind === 'people') {
      const isThere = !database || schemaOf(database).some(({ id: known }) => known === to.propertyId);
      const reason = 'The property that says to whom was deleted in Notion.';
      if (!isThere) found.set(id, { reason, fix: 'Edit the rule and choose another.' });
      else if (links.every(({ notify }) => notify === 'off')) {
        found.set(id, { reason: 'Nobody who is linked has said yes to direct messages.', fix: HOW_TO_ASK });
      }
    }
    if (to.kind !== 'person') continue;
    const link = links.find(({ discordUserId }) => discordUserId === to.discordUserId);
    if (!link) {
      const fix = 'Link them again under Accounts, or choose somebody else.';
      found.set(id, { reason: 'The person is not linked any more.', fix });
    } else if (link.notify === 'off') {
      const reason = `${link.notionDisplayName} has not said yes to direct messages.`;
      found.set(id, { reason, fix: HOW_TO_ASK });
    } else if (link.inboxProblem) {
      const fix = 'They get messages again once they use /notion notify in Discord.';
      found.set(id, { reason: link.inboxProblem, fix });
    }
  }
  return found;
}
