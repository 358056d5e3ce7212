import type { SandboxContext } from '../context';
import { PEOPLE, type Person } from '../people';

/** The tenant's social connections; each represents Discord. */
export const CONNECTIONS = ['discord', 'discord-dev'];

export function subjectOf(person: Person, connection: string): string {
  return `oauth2|${connection}|${person.discordId}`;
}

export function findPerson(subject: string): Person | undefined {
  return PEOPLE.find((person) => CONNECTIONS.some((connection) => subjectOf(person, connection) === subject));
}

/** The person's claims in the id token and at the userinfo endpoint. */
export function profileClaims(context: SandboxContext, subject: string, person: Person) {
  return {
    sub: subject,
    nickname: person.discordUsername,
    name: person.name,
    picture: `${context.urls.identity}/avatars/${person.key}.svg`,
    email: person.email,
    email_verified: true,
    updated_at: '2026-01-05T09:00:00.000Z',
  };
}
