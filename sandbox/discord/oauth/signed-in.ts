import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { PEOPLE, type Person } from '../../people';

const COOKIE = 'sandbox_discord_person';

/** Who is acting at Discord: the person in the URL, else in the cookie, else Mira. */
export function signedIn(c: Context): Person {
  const person = findPerson(c.req.query('person')) ?? findPerson(getCookie(c, COOKIE)) ?? PEOPLE[0];
  if (!person) throw new Error('The sandbox has no people.');
  return person;
}

export function findPerson(key: string | undefined): Person | undefined {
  return PEOPLE.find((each) => each.key === key);
}

export function signInAs(c: Context, person: Person): void {
  setCookie(c, COOKIE, person.key, { path: '/', sameSite: 'Lax', httpOnly: true });
}
