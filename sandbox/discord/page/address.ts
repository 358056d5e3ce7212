import { PEOPLE } from '../../people';

/** An address of the page that names its person: a tab stays who it is, whoever other tabs of the browser are. */
export function addressFor(userId: string, path: string): string {
  const person = PEOPLE.find(({ discordId }) => discordId === userId);
  return person ? `${path}?person=${person.key}` : path;
}
