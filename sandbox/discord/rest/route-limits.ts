import type { Bucket } from '../rate-limiter';

export interface Route {
  /** Method and path with ids replaced, e.g. "PATCH /channels/:id/messages/:id". */
  name: string;
  bucket: Bucket;
  /** The major parameter: each value of it has its own bucket. */
  major: string;
  /** Interaction routes do not count towards the bot's 50 calls a second. */
  outsideGlobal: boolean;
}

const PREFIX = /^\/api(\/v10)?/;
const INTERACTION_DOOR = /^\/(webhooks|interactions)\//;

/** Invented but plausible sizes; callers must learn them from the headers. */
const SIZES: [RegExp, number, number][] = [
  [/^POST \/channels\/:id\/messages$/, 5, 5000],
  [/^PATCH \/channels\/:id\/messages\/:id$/, 5, 5000],
  [/^DELETE \/channels\/:id\/messages\/:id$/, 5, 1000],
  [/^GET \/channels\/:id\/messages/, 10, 5000],
  [/^(POST|PATCH|GET|DELETE) \/webhooks\//, 5, 2000],
  [/^(PUT|POST) \/applications\/:id\/(guilds\/:id\/)?commands$/, 5, 20_000],
  [/^POST \/users\/@me\/channels$/, 10, 10_000],
];
const ORDINARY = { limit: 50, windowMs: 1000 };

export function routeOf(method: string, path: string): Route {
  const inside = path.replace(PREFIX, '');
  const isDoor = INTERACTION_DOOR.test(inside);
  const generic = isDoor
    ? inside.replace(/^\/(\w+)\/[^/]+\/[^/]+/, '/$1/:id/:token').replace(/\/\d{15,21}/g, '/:id')
    : inside.replace(/\/\d{15,21}/g, '/:id');
  const name = `${method} ${generic}`;
  const size = SIZES.find(([pattern]) => pattern.test(name));
  const { limit, windowMs } = size ? { limit: size[1], windowMs: size[2] } : ORDINARY;
  return {
    name,
    bucket: { name: hash(isDoor ? generic : name), limit, windowMs },
    major: isDoor
      ? inside.split('/').slice(2, 4).join('/')
      : (/^\/(?:channels|guilds)\/(\d+)/.exec(inside)?.[1] ?? ''),
    outsideGlobal: isDoor,
  };
}

/** A short opaque name, stable for each route. */
function hash(text: string): string {
  let value = 0x811c9dc5n;
  for (const char of text)
    value = ((value ^ BigInt(char.codePointAt(0) ?? 0)) * 0x01000193n) & 0xffffffffffffffffn;
  return value.toString(16).padStart(16, '0');
}
