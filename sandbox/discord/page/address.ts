import { PEOPLE } from '../../people';

/** A URL of the page that names its person, so that each tab keeps its own person. */
export function addressFor(userId: string, path: string): string {
  const person = PEOPLE.find(({ discordId }) => discordId === userId);
  return person ? `${path}?person=${person.key}` : path;
}
