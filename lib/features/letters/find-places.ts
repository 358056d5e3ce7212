import { db } from '@/lib/db/database';
import type { Destination } from '../matching/schema';
import { placeInWords } from '../matching/words';
import { propertyName } from '../workspaces/database-schema';

/** What is needed of a rule to say where it posts. */
interface Placed {
  /** The destination as stored. */
  destination: unknown;
  channelName: string;
  /** Null for a rule that does not watch a database. */
  database?: { properties: unknown; formerNames: unknown } | null;
}

/** Returns a function that says in words where a rule of the account posts, with names of people and properties. */
export async function findPlaces(accountId: string, rules: Placed[]): Promise<(rule: Placed) => string> {
  const ids = rules.flatMap(({ destination }) => {
    const to = destination as Destination;
    return to.kind === 'person' ? [to.discordUserId] : [];
  });
  const links =
    ids.length > 0
      ? await db().accountLink.findMany({ where: { accountId, discordUserId: { in: ids } } })
      : [];
  const names = new Map(links.map((link) => [link.discordUserId, link.notionDisplayName]));
  return (rule) => placeOf(rule, names);
}

/** Where a rule posts, in words; `names` has the names of linked people by their Discord ids. */
function placeOf({ destination, channelName, database }: Placed, names: Map<string, string>): string {
  const to = destination as Destination;
  if (to.kind === 'person')
    return placeInWords({ kind: 'person', name: names.get(to.discordUserId) ?? null });
  if (to.kind !== 'people') return placeInWords({ kind: 'channel', name: channelName });
  const { propertyId } = to;
  return placeInWords({ kind: 'people', name: database ? propertyName(database, propertyId) : propertyId });
}
