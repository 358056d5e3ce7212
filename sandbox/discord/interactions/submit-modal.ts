import { ComponentType, InteractionType } from 'discord-api-types/v10';
import { discordError, formError } from '../discord-error';
import type { StoredInteraction } from '../state';
import type { World } from '../world';
import { checkChoice } from './check-choice';
import { dispatch } from './dispatch';
import { controlsOf, type Modal, type ModalControl } from './modal-schema';
import { isResolving, resolve } from './resolved';

export interface ModalSubmission {
  userId: string;
  /** The interaction whose response was the modal. */
  interactionId: string;
  /** By custom id; a text input has one value. */
  values: Record<string, string[]>;
}

/** Submits a modal as the person it was shown to. */
export async function submitModal(world: World, submission: ModalSubmission): Promise<StoredInteraction> {
  const shown = world.state.interactions.find((each) => each.id === submission.interactionId);
  const modal = shown?.modal as Modal | null | undefined;
  if (!shown || !modal || shown.userId !== submission.userId) throw discordError('unknownInteraction');
  const controls = modal.components.flatMap(controlsOf);
  for (const control of controls) check(world, control, submission.values[control.custom_id] ?? []);
  const guild = world.guild(shown.guildId);
  const ids = controls
    .filter(({ type }) => isResolving(type))
    .flatMap((control) => submission.values[control.custom_id] ?? []);
  const resolved = resolve(world, guild, ids, submission.userId);
  return dispatch(world, {
    type: InteractionType.ModalSubmit,
    name: modal.custom_id,
    userId: shown.userId,
    channelId: shown.channelId,
    source: shown.sourceId ? world.message(shown.channelId, shown.sourceId) : undefined,
    data: {
      custom_id: modal.custom_id,
      components: modal.components.map((part, index) => fill(part, index * 2 + 1, submission.values)),
      ...(Object.keys(resolved).length > 0 && { resolved }),
    },
  });
}

function check(world: World, control: ModalControl, values: string[]): void {
  const wrong = (code: string, message: string) => formError([control.custom_id], code, message);
  const isRequired = control.required ?? true;
  const text = values[0] ?? '';
  if (control.type !== ComponentType.TextInput) {
    if (isRequired && values.length === 0) throw wrong('BASE_TYPE_REQUIRED', 'This field is required');
    if (values.length > 0) checkChoice(world, control, values);
    return;
  }
  if (isRequired && !text) throw wrong('BASE_TYPE_REQUIRED', 'This field is required');
  if (text && text.length < (control.min_length ?? 0)) {
    throw wrong('BASE_TYPE_MIN_LENGTH', `Must be ${control.min_length} or more in length.`);
  }
  if (text.length > (control.max_length ?? 4000)) {
    throw wrong('BASE_TYPE_MAX_LENGTH', `Must be ${control.max_length ?? 4000} or fewer in length.`);
  }
}

function fill(part: Modal['components'][number], id: number, values: Record<string, string[]>) {
  const filled = controlsOf(part).map((control) => {
    const chosen = values[control.custom_id] ?? [];
    const value = control.type === ComponentType.TextInput ? { value: chosen[0] ?? '' } : { values: chosen };
    return { type: control.type, id: control.id ?? id + 1, custom_id: control.custom_id, ...value };
  });
  const own = { type: part.type, id: part.id ?? id };
  if (part.type === ComponentType.Label) return { ...own, component: filled[0] };
  return part.type === ComponentType.ActionRow ? { ...own, components: filled } : own;
}
