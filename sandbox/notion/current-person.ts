import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { Member } from './notion-state';
import type { NotionWorld } from './notion-world';

const COOKIE = 'sandbox_notion_person';

/** Who uses this browser: `?person=`, else the cookie of an earlier choice, else the first person of the cast. */
export function currentPerson(world: NotionWorld, c: Context): Member {
  const asked = c.req.query('person');
  const chosen = asked ? world.person(asked) : undefined;
  if (chosen) rememberPerson(c, chosen);
  const person = chosen ?? world.person(getCookie(c, COOKIE) ?? '') ?? world.person('mira');
  if (!person) throw new Error('The seed has lost its first person.');
  return person;
}

export function rememberPerson(c: Context, person: Member): void {
  setCookie(c, COOKIE, person.key, { path: '/', httpOnly: true, sameSite: 'Lax' });
}
