import { db } from '@/lib/db/database';
import { AppError } from '@/lib/errors';
import { schemaOf } from '../connections/status-property';
import type { Destination } from '../matching/schema';

/** The destination with its property by id. Throws `invalid_input` for what holds no people. */
export function resolveDestination(
  destination: Destination,
  database: { name: string; properties: unknown } | null,
): Destination {
  if (destination.kind !== 'people' || !database) return destination;
  const { propertyId } = destination;
  const all = schemaOf(database);
  const property = all.find(({ id }) => id === propertyId) ?? all.find(({ name }) => name === propertyId);
  if (property?.type === 'people') return { ...destination, propertyId: property.id };
  throw new AppError(
    'invalid_input',
    property
      ? `destination.propertyId: "${property.name}" holds no people.`
      : `destination.propertyId: ${database.name} has no property "${propertyId}".`,
  );
}

/** Throws `invalid_input` when a rule is to write to somebody who is not linked. */
export async function requireLinked(accountId: string, destination: Destination): Promise<void> {
  if (destination.kind !== 'person') return;
  const { discordUserId } = destination;
  const link = await db().accountLink.findFirst({ where: { accountId, discordUserId } });
  if (link) return;
  throw new AppError(
    'invalid_input',
    'destination.discordUserId: nobody with this Discord id is linked. Link them under Accounts first.',
  );
}
