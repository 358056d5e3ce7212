import { z } from 'zod';
import { hideSecrets } from './scrub-text';

const required = z.string({ error: 'is missing' }).min(1, 'is missing');
const origin = (value: string) => value.replace(/\/+$/, '');
const url = z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' }).transform(origin);
// What a header cannot hold, such as a typographic quote, would make every call fail.
const inHeader = required.regex(/^[\x21-\x7e]+$/, 'must consist of ASCII characters without spaces');
const optional = z.string().min(1).optional();

const databaseUrl = required
  .regex(/^postgres(ql)?:\/\//, { error: 'must be a postgresql:// URL', abort: true })
  .refine(
    isReadable,
    'cannot be read: let the port be at most 65535, and percent-encode special characters of the user name and the ' +
      'password, such as / as %2F',
  );

// Unescaped, such a character ends the host too early: the port is invalid, or the @ is in the path.
function isReadable(address: string): boolean {
  // PostgreSQL's sockets need no host.
  const whole = address.replace('@/', '@localhost/');
  if (!URL.canParse(whole)) return false;
  const { username, pathname, search, searchParams, hash } = new URL(whole);
  // A user that is named in the query may have an @ of its own.
  const rest = pathname + (searchParams.has('user') ? '' : search) + hash;
  return username !== '' || !rest.includes('@');
}

// A host, which may be an IPv6 address, with or without a scheme, a port and a path.
const ISSUER = /^(https?:\/\/)?(\[[\da-fA-F:.]+\]|[^\s/:@?#"']+)(:\d+)?(\/\S*)?$/;

const isIssuer = (given: string) =>
  ISSUER.test(given) && URL.canParse(given.includes('://') ? given : `https://${given}`);

const encryptionKeys = required
  .transform((list) => list.split(',').map((key) => Buffer.from(key.trim(), 'base64')))
  .refine(
    (keys) => keys.every((key) => key.length === 32),
    'must be comma-separated base64 keys of 32 bytes',
  );

const networks = z
  .string()
  .transform((list) => list.split(',').map((network) => network.trim()))
  .pipe(
    z.array(
      z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], {
        error: 'must be comma-separated IP addresses or ranges such as 10.0.0.0/8',
      }),
    ),
  );

const logLevel = z
  .string()
  .trim()
  .toLowerCase()
  .pipe(
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'must be fatal, error, warn, info, debug, trace or silent',
    }),
  )
  .default('info');

const envSchema = z
  .object({
    DATABASE_URL: databaseUrl,
    DATABASE_SESSION_URL: databaseUrl.optional(),
    DATABASE_POOL_SIZE: z.coerce
      .number({ error: 'must be a number' })
      .int('must be a whole number')
      .min(9, 'must be at least 9')
      .default(30),
    APP_URL: url.default('http://localhost:3000'),
    ENVIRONMENT: z
      .enum(['dev', 'production'], { error: 'must be "dev" or "production"' })
      .default('production'),
    NEXTAUTH_SECRET: required,
    ENCRYPTION_KEYS: encryptionKeys,
    AUTH0_DOMAIN: required.refine(isIssuer, 'must be a host name or an issuer URL'),
    AUTH0_CLIENT_ID: required,
    AUTH0_CLIENT_SECRET: required,
    AUTH0_AUDIENCE: required,
    AUTH0_CALLBACK_URL: z.url({ error: 'must be a URL' }).optional(),
    DISCORD_API_URL: url.default('https://discord.com/api/v10'),
    DISCORD_AUTHORIZE_URL: url.default('https://discord.com/oauth2/authorize'),
    DISCORD_CDN_URL: url.default('https://cdn.discordapp.com'),
    DISCORD_CALLS_PER_SECOND: z.coerce
      .number({ error: 'must be a number' })
      .int('must be a whole number')
      .min(1, 'must be at least 1')
      .max(1000, 'must be at most 1000')
      .default(50),
    DISCORD_APPLICATION_ID: required.regex(/^\d+$/, 'must be a number'),
    DISCORD_CLIENT_SECRET: required,
    DISCORD_PUBLIC_KEY: required.regex(/^[0-9a-f]{64}$/i, 'must be 64 hexadecimal digits'),
    DISCORD_BOT_TOKEN: inHeader,
    NOTION_API_URL: url.default('https://api.notion.com'),
    NOTION_CLIENT_ID: required,
    NOTION_CLIENT_SECRET: required,
    NOTION_WEBHOOK_TOKEN: required,
    STRIPE_API_URL: url.default('https://api.stripe.com'),
    STRIPE_SECRET_KEY: inHeader,
    STRIPE_WEBHOOK_SECRET: required,
    STRIPE_PRICE_ID: required,
    SENTRY_DSN: optional,
    SUPPORT_EMAIL: optional,
    SUPPORT_INVITE_URL: url.optional(),
    DOCS_URL: url.optional(),
    TRUSTED_PROXIES: networks.default([]),
    LOG_LEVEL: logLevel,
    METRICS_TOKEN: inHeader.optional(),
    WORKER: z.enum(['inline', 'off'], { error: 'must be "inline" or "off"' }).default('inline'),
  })
  .transform((values) => ({
    ...values,
    DATABASE_SESSION_URL: values.DATABASE_SESSION_URL ?? values.DATABASE_URL,
    AUTH0_CALLBACK_URL: values.AUTH0_CALLBACK_URL ?? `${values.APP_URL}/callback?mode=app`,
    DOCS_URL: values.DOCS_URL ?? `${values.APP_URL}/docs`,
  }));

export type Env = z.infer<typeof envSchema>;

/** The names of all variables that Pagewire reads as its configuration. */
export const VARIABLES = Object.keys(envSchema.in.shape);

/** The variables that are missing or malformed, each once. */
export function findMalformed(source: NodeJS.ProcessEnv): { name: string; reason: string }[] {
  const { error } = parse(source);
  const reasons = new Map(error?.issues.map((issue) => [String(issue.path[0]), issue.message]));
  return [...reasons].map(([name, reason]) => ({ name, reason }));
}

/** The whole configuration. Throws one Error that names every missing or malformed variable. */
export function parseEnv(source: NodeJS.ProcessEnv): Env {
  const parsed = parse(source);
  if (parsed.success) return parsed.data;
  const lines = findMalformed(source).map(({ name, reason }) => `  ${name} ${reason}`);
  throw new Error(`Pagewire cannot start. Set these environment variables:\n${lines.join('\n')}`);
}

// A value that comes from a file often ends with the line break of that file.
function parse(source: NodeJS.ProcessEnv) {
  const values = Object.entries(source).map(([name, value]) => [name, value?.trim()]);
  return envSchema.safeParse(Object.fromEntries(values.filter(([, value]) => value !== '')));
}

const secretsOf = (values: Env): string[] => [
  values.DATABASE_URL,
  values.DATABASE_SESSION_URL,
  values.NEXTAUTH_SECRET,
  ...values.ENCRYPTION_KEYS.map((key) => key.toString('base64')),
  values.AUTH0_CLIENT_SECRET,
  values.DISCORD_CLIENT_SECRET,
  values.DISCORD_BOT_TOKEN,
  values.NOTION_CLIENT_SECRET,
  values.NOTION_WEBHOOK_TOKEN,
  values.STRIPE_SECRET_KEY,
  values.STRIPE_WEBHOOK_SECRET,
  values.METRICS_TOKEN ?? '',
];

/** The log level, which is needed even before the configuration is known to be complete. */
export function readLogLevel(): Env['LOG_LEVEL'] {
  return logLevel.catch('info').parse(process.env['LOG_LEVEL'] || undefined);
}

let cached: Env | undefined;

/** The configuration of this process, read once. */
export function env(): Env {
  if (!cached) {
    cached = parseEnv(process.env);
    hideSecrets(secretsOf(cached));
    // next-auth reads the public origin only from this variable.
    process.env.NEXTAUTH_URL = cached.APP_URL;
  }
  return cached;
}
