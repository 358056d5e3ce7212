import { createHash } from 'node:crypto';
import type { Hono } from 'hono';
import { avatarSvg } from '../identity/avatar';
import { PEOPLE } from '../people';
import type { Env } from './rest/guard';
import type { World } from './world';

const SVG = { 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=3600' };

/** Discord's name for a picture. */
export const pictureHash = (id: string) => createHash('sha256').update(id).digest('hex').slice(0, 32);

/** The hash of a user's picture; only the cast has pictures. */
export const avatarHash = (id: string) =>
  PEOPLE.some(({ discordId }) => discordId === id) ? pictureHash(id) : null;

/** Pictures of servers and people, at the address of Discord's content delivery network. */
export function cdnRoutes(app: Hono<Env>, world: World): void {
  app.get('/cdn/icons/:id/:file', (c) => {
    const guild = world.guild(c.req.param('id'));
    if (!guild || c.req.param('file') !== `${pictureHash(guild.id)}.png`) return c.notFound();
    return c.body(iconSvg(guild.name), 200, SVG);
  });
  app.get('/cdn/avatars/:id/:file', (c) => {
    const person = PEOPLE.find(({ discordId }) => discordId === c.req.param('id'));
    if (!person || c.req.param('file') !== `${pictureHash(person.discordId)}.png`) return c.notFound();
    return c.body(avatarSvg(person), 200, SVG);
  });
}

/** A lantern on a dark background, in the server's own colour. */
function iconSvg(name: string): string {
  const hue = [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 360;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">
  <rect width="64" height="64" fill="hsl(${hue} 45% 22%)"/>
  <path d="M22 22h20l4 26H18z" fill="#f0b35a"/>
  <path d="M25 22c0-10 14-10 14 0" fill="none" stroke="#f7e3bd" stroke-width="3"/>
  <circle cx="32" cy="36" r="6" fill="#fff6df"/>
</svg>`;
}
