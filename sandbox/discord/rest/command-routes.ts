import type { APIApplicationCommand } from 'discord-api-types/v10';
import type { Context, Hono } from 'hono';
import { DiscordError, discordError, type FormErrors, formError } from '../discord-error';
import { parseForm } from '../form';
import { commandSchemaFor } from '../interactions/command-schema';
import type { World } from '../world';
import { jsonBody, requireApplication } from './access';
import type { Env } from './guard';

const MAX_COMMANDS = 100;
const MAX_CREATES_A_DAY = 200;
const PATHS = ['/applications/:app/commands', '/applications/:app/guilds/:guild/commands'];

export function commandRoutes(api: Hono<Env>, world: World): void {
  for (const path of PATHS) {
    api.get(path, (c) => c.json(open(c).commands));

    api.put(path, async (c) => {
      const { commands, write, guildId } = open(c);
      const body = await jsonBody(c);
      if (!Array.isArray(body))
        throw formError([], 'LIST_TYPE_CONVERT', 'Only iterables may be used in a ListType');
      const wanted = parseAll(body);
      if (wanted.length > MAX_COMMANDS) throw discordError('tooManyCommands');
      const next = wanted.map((each) =>
        store(
          each,
          commands.find((known) => isSame(known, each)),
          guildId,
        ),
      );
      write(next);
      return c.json(next);
    });

    api.post(path, async (c) => {
      const { commands, write, guildId } = open(c);
      const body = await jsonBody(c);
      const wanted = parseForm(commandSchemaFor(body), body) as Partial<APIApplicationCommand>;
      const known = commands.find((each) => isSame(each, wanted));
      const made = store(wanted, known, guildId);
      write([...commands.filter((each) => each !== known), made]);
      return c.json(made, known ? 200 : 201);
    });

    api.delete(`${path}/:command`, (c) => {
      const { commands, write } = open(c);
      const rest = commands.filter((each) => each.id !== c.req.param('command'));
      if (rest.length === commands.length) throw discordError('unknownCommand');
      write(rest);
      return c.body(null, 204);
    });
  }

  function open(c: Context) {
    requireApplication(world, c);
    const guildId = c.req.param('guild');
    if (guildId && !world.guild(guildId)?.installedScopes?.includes('applications.commands')) {
      throw discordError('missingAccess');
    }
    const stored = world.state.commands;
    const write = (next: APIApplicationCommand[]) => {
      if (guildId) stored.guilds[guildId] = next;
      else stored.global = next;
      world.save();
    };
    return { commands: guildId ? (stored.guilds[guildId] ?? []) : stored.global, write, guildId };
  }

  function store(
    wanted: Partial<APIApplicationCommand>,
    known: APIApplicationCommand | undefined,
    guildId: string | undefined,
  ): APIApplicationCommand {
    if (!known) countCreate(guildId ?? 'global');
    return {
      ...wanted,
      id: known?.id ?? world.nextId(),
      application_id: world.applicationId,
      type: wanted.type ?? 1,
      description: wanted.description ?? '',
      default_member_permissions: wanted.default_member_permissions ?? null,
      nsfw: wanted.nsfw ?? false,
      version: world.nextId(),
      ...(guildId ? { guild_id: guildId } : { contexts: wanted.contexts ?? null }),
      integration_types: wanted.integration_types ?? [0],
    } as APIApplicationCommand;
  }

  function countCreate(scope: string): void {
    const key = `${scope} ${world.now().toISOString().slice(0, 10)}`;
    const count = (world.state.commandCreates[key] ?? 0) + 1;
    if (count > MAX_CREATES_A_DAY) throw discordError('tooManyCommandCreates');
    world.state.commandCreates[key] = count;
  }
}

function isSame(one: Partial<APIApplicationCommand>, other: Partial<APIApplicationCommand>): boolean {
  return one.name === other.name && (one.type ?? 1) === (other.type ?? 1);
}

function parseAll(bodies: unknown[]): Partial<APIApplicationCommand>[] {
  const errors: FormErrors = {};
  const parsed = bodies.map((body, index) => {
    try {
      return parseForm(commandSchemaFor(body), body) as Partial<APIApplicationCommand>;
    } catch (error) {
      if (!(error instanceof DiscordError) || !error.errors) throw error;
      errors[index] = error.errors;
      return {};
    }
  });
  if (Object.keys(errors).length > 0) throw new DiscordError(400, 50035, 'Invalid Form Body', errors);
  const twin = parsed.findIndex((each, index) => parsed.findIndex((other) => isSame(other, each)) < index);
  if (twin < 0) return parsed;
  const message = 'Application command names must be unique';
  throw formError([twin, 'name'], 'APPLICATION_COMMANDS_DUPLICATE_NAME', message);
}
