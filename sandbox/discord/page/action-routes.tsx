/** @jsxImportSource hono/jsx */
import { PermissionFlagsBits as Bit, ApplicationCommandOptionType as Option } from 'discord-api-types/v10';
import type { Context, Hono } from 'hono';
import { z } from 'zod';
import { DiscordError, discordError } from '../discord-error';
import { parseForm } from '../form';
import { messageCommands, runnables } from '../interactions/commands';
import type { Modal } from '../interactions/modal-schema';
import { pressComponent } from '../interactions/press-component';
import { runCommand, runMessageCommand } from '../interactions/run-command';
import { submitModal } from '../interactions/submit-modal';
import { parseMessage } from '../messages/message-schema';
import { forwardMessage, postMessage } from '../messages/post-message';
import { findPerson, signedIn } from '../oauth/signed-in';
import { may, permissionsIn } from '../permissions';
import { jsonBody } from '../rest/access';
import type { Env } from '../rest/guard';
import type { StoredInteraction } from '../state';
import type { World } from '../world';
import { ModalView } from './modal-view';

const person = z.enum(['mira', 'jonas', 'vera']).optional();
const channelId = z.string();
const sayForm = z.object({
  person,
  channelId,
  content: z.string().default(''),
  /** The id of a message in the channel that this one forwards. */
  forwards: z.string().optional(),
  embed: z.object({ title: z.string(), description: z.string() }).optional(),
});
const componentForm = z.object({
  person,
  channelId,
  messageId: z.string(),
  customId: z.string(),
  values: z.array(z.string()).optional(),
});
const commandForm = z.object({
  person,
  channelId,
  label: z.string(),
  values: z.record(z.string(), z.string()).default({}),
  focused: z.string().optional(),
});
const menuForm = z.object({ person, channelId, name: z.string(), targetId: z.string() });
const modalForm = z.object({
  person,
  interactionId: z.string(),
  values: z.record(z.string(), z.array(z.string())),
});
const dismissForm = z.object({ person, channelId, messageId: z.string() });

/**
 * The actions of people on the page, as JSON. Each takes an optional `person`; without it the URL decides, then the
 * cookie. The response is `{}`, `{ modal, interactionId }`, `{ choices }` or `{ error, problem }`.
 */
export function actionRoutes(app: Hono<Env>, world: World): void {
  const action = <S extends z.ZodType<{ person?: string | undefined }>>(
    path: string,
    schema: S,
    act: (form: z.output<S>, userId: string) => Promise<StoredInteraction | undefined>,
  ) =>
    app.post(`/_page/${path}`, async (c) => {
      try {
        const form = parseForm(schema, await jsonBody(c));
        const { discordId } = findPerson(form.person) ?? signedIn(c);
        return answer(c, world, await act(form, discordId));
      } catch (error) {
        if (!(error instanceof DiscordError)) throw error;
        return c.json({ error: firstMessage(error.errors) ?? error.message }, 400);
      }
    });

  action('say', sayForm, async ({ channelId: id, content, forwards, embed }, userId) => {
    const channel = world.channel(id);
    if (!channel) throw discordError('unknownChannel');
    if (!may(permissionsIn(world.state, channel, userId, world.now()), Bit.SendMessages)) {
      throw discordError('missingPermissions');
    }
    const forwarded = forwards === undefined ? undefined : world.message(id, forwards);
    if (forwarded) return void forwardMessage(world, channel, userId, forwarded);
    postMessage(world, channel, parseMessage({ content, embeds: embed && [embed] }), { authorId: userId });
    return undefined;
  });
  action('component', componentForm, (form, userId) => pressComponent(world, { ...form, userId }));
  action('command', commandForm, (form, userId) => runCommand(world, { ...form, userId }));
  action('message-command', menuForm, (form, userId) => runMessageCommand(world, { ...form, userId }));
  action('modal', modalForm, (form, userId) => submitModal(world, { ...form, userId }));
  action('dismiss', dismissForm, async ({ channelId: id, messageId }, userId) => {
    const message = world.message(id, messageId);
    if (message?.ephemeralFor === userId) world.removeMessage(message);
    return undefined;
  });

  app.get('/_page/commands/:channel', (c) => {
    const channel = world.channel(c.req.param('channel'));
    if (!channel) return c.json({ commands: [], messageCommands: [] });
    const { discordId } = signedIn(c);
    const commands = runnables(world, channel, discordId).map(({ label, description, options }) => ({
      label,
      description,
      options: options.map((option) => ({
        ...option,
        entries: entriesFor(world, channel.guildId, option.type),
      })),
    }));
    const entries = messageCommands(world, channel, discordId).map(({ name }) => name);
    return c.json({ commands, messageCommands: entries });
  });
}

function answer(c: Context, world: World, interaction: StoredInteraction | undefined): Response {
  if (!interaction) return c.json({});
  if (interaction.status === 'failed') {
    return c.json({ error: 'The application did not respond', problem: interaction.problem });
  }
  if (interaction.choices) return c.json({ choices: interaction.choices });
  if (!interaction.modal) return c.json({});
  const context = { world, guildId: interaction.guildId, viewerId: interaction.userId };
  const view = (
    <ModalView modal={interaction.modal as Modal} interactionId={interaction.id} context={context} />
  );
  return c.json({ modal: String(view), interactionId: interaction.id });
}

/** The possible values of an option that takes a person, a channel or a role. */
function entriesFor(
  world: World,
  guildId: string | null,
  type: Option,
): { name: string; value: string }[] | undefined {
  const guild = world.guild(guildId);
  const users = (guild?.members ?? []).map(({ userId }) => ({
    name: world.user(userId)?.globalName ?? userId,
    value: userId,
  }));
  const roles = (guild?.roles ?? []).map(({ id, name }) => ({ name, value: id }));
  if (type === Option.User) return users;
  if (type === Option.Role) return roles;
  if (type === Option.Mentionable) return [...users, ...roles];
  if (type === Option.Channel)
    return world.channelsOf(guildId ?? '').map(({ id, name }) => ({ name, value: id }));
  if (type === Option.Boolean)
    return [
      { name: 'True', value: 'true' },
      { name: 'False', value: 'false' },
    ];
  return undefined;
}

function firstMessage(errors: unknown): string | undefined {
  if (typeof errors !== 'object' || errors === null) return undefined;
  if ('message' in errors && typeof errors.message === 'string') return errors.message;
  for (const each of Object.values(errors)) {
    const found = firstMessage(each);
    if (found) return found;
  }
  return undefined;
}
