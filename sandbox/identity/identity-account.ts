import type { SandboxContext } from '../context';
import { PEOPLE, type Person } from '../people';
import type { IdentityState } from './identity-state';

/** The tenant's social connections; each represents Discord. */
export const CONNECTIONS = ['discord', 'discord-dev'];

export function subjectOf(person: Person, connection: string): string {
  return `oauth2|${connection}|${person.discordId}`;
}

export function findPerson(subject: string): Person | undefined {
  return PEOPLE.find((person) => CONNECTIONS.some((connection) => subjectOf(person, connection) === subject));
}

/** The person's claims in the id token and at the userinfo endpoint. */
export function profileClaims(
  context: SandboxContext,
  { emailVerified = true }: Pick<IdentityState, 'emailVerified'>,
  subject: string,
  person: Person,
) {
  return {
    sub: subject,
    nickname: person.discordUsername,
    name: person.name,
    picture: `${context.urls.identity}/avatars/${person.key}.svg`,
    email: person.email,
    ...(emailVerified !== null && { email_verified: emailVerified }),
    updated_at: '2026-01-05T09:00:00.000Z',
  };
}
