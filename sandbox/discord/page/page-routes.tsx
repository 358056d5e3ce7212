/** @jsxImportSource hono/jsx */
import { readFile } from 'node:fs/promises';
import type { Context, Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { Person } from '../../people';
import { ProblemPage } from '../oauth/authorize-page';
import { findPerson, signedIn, signInAs } from '../oauth/signed-in';
import { isViewable } from '../rest/access';
import type { Env } from '../rest/guard';
import type { World } from '../world';
import { addressFor } from './address';
import { ChannelPage } from './channel-page';
import { firstChannel, guildsFor } from './sidebar';

const LOOK_EVERY_MS = 150;
const FILE = /^[a-z-]+\.(css|js)$/;
const TYPES: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};

export function pageRoutes(app: Hono<Env>, world: World): void {
  app.get('/', (c) => c.redirect(homeOf(world, signedIn(c)), 302));

  app.get('/channels/:guild/:channel', (c) => {
    const person = signedIn(c);
    if (c.req.query('person') !== person.key) {
      return c.redirect(addressFor(person.discordId, c.req.path), 302);
    }
    const channel = world.channel(c.req.param('channel'));
    const guild = world.guild(c.req.param('guild'));
    const isRightPlace = channel && channel.guildId === (guild?.id ?? null);
    if (!isRightPlace || !isViewable(world, channel, person.discordId)) {
      const text = `${person.name} cannot see this channel, or it does not exist.`;
      const home = addressFor(person.discordId, '/');
      return c.html(<ProblemPage title="No access" text={text} home={home} />, 404);
    }
    return c.html(<ChannelPage world={world} person={person} guild={guild} channel={channel} />);
  });

  // A link to a message opens its channel at the message.
  app.get('/channels/:guild/:channel/:message', (c) => {
    const { guild, channel, message } = c.req.param();
    const path = addressFor(signedIn(c).discordId, `/channels/${guild}/${channel}`);
    return c.redirect(`${path}#message-${message}`, 302);
  });

  app.post('/_page/person', async (c) => {
    const form = await c.req.formData();
    const person = findPerson(String(form.get('person'))) ?? signedIn(c);
    signInAs(c, person);
    return c.redirect(returnPathFor(world, person, c), 303);
  });

  app.get('/_page/live', (c) =>
    streamSSE(c, async (stream) => {
      let seen: unknown;
      while (!stream.aborted && !stream.closed) {
        const { state } = world;
        const now = `${world.context.urls.discord} ${state.lastId} ${state.revision}`;
        if (seen !== undefined && seen !== now) await stream.writeSSE({ data: String(state.revision) });
        seen = now;
        await stream.sleep(LOOK_EVERY_MS);
      }
    }),
  );

  app.get('/page/:file', async (c) => {
    const file = c.req.param('file');
    if (!FILE.test(file)) return c.notFound();
    const content = await readFile(new URL(file, import.meta.url), 'utf8').catch(() => undefined);
    if (content === undefined) return c.notFound();
    return c.body(content, 200, { 'content-type': TYPES[file.split('.').at(-1) ?? ''] ?? 'text/plain' });
  });
}

function homeOf(world: World, person: Person): string {
  const [guild] = guildsFor(world, person.discordId);
  const channel = guild && firstChannel(world, guild, person.discordId);
  return addressFor(person.discordId, `/channels/${guild?.id ?? '@me'}/${channel?.id ?? ''}`);
}

/** The same channel if the new person also sees it, else that person's start page. */
function returnPathFor(world: World, person: Person, c: Context): string {
  const referer = c.req.header('referer') ?? '';
  const path = URL.canParse(referer) ? new URL(referer).pathname : '';
  const channel = world.channel(path.split('/')[3] ?? '');
  const isTheirs = channel && isViewable(world, channel, person.discordId);
  return isTheirs ? addressFor(person.discordId, path) : homeOf(world, person);
}
