import {
  type APILabelComponent,
  type APIModalInteractionResponseCallbackComponent,
  ComponentType,
  TextInputStyle,
} from 'discord-api-types/v10';
import { texts } from '@/lib/bot-texts';
import { fitPlain } from '@/lib/discord-text';
import { labelWords } from '@/lib/features/cards/line-text';
import { described, MAX_ENTRIES, MAX_ENTRY } from '@/lib/features/cards/menus';
import type { TaskDraft } from '@/lib/features/tasks/schema';
import type { TaskDatabase } from '@/lib/features/tasks/task-database';
import { toNotionId } from '@/lib/features/tasks/task-target';
import { MAX_FIELD_LABEL, MAX_FORM_TITLE } from './component-limits';
import type { Fields } from './interaction';
import { modal } from './reply';

export const MAX_TITLE = 300;
export const MAX_DESCRIPTION = 4000;
// Enough room for an entry that is not a date, so that the reply can explain it.
const MAX_DUE = 40;

export const NO_DRAFT = '0';
export const EMPTY_DRAFT: TaskDraft = {
  title: '',
  statusId: null,
  assigneeId: null,
  due: '',
  description: '',
  permalink: null,
  message: null,
};

/** The form for a new task, prefilled from the draft, in at most the five components that Discord allows. */
export function taskModal(database: TaskDatabase, draftId: string, draft: TaskDraft) {
  const components: APIModalInteractionResponseCallbackComponent[] = [
    titlePart(draft),
    ...statusPart(database, draft),
    ...assigneePart(database, draft),
    ...duePart(database, draft),
    descriptionPart(draft),
  ];
  const custom_id = `task:${database.id}:${draftId}`;
  return modal({
    custom_id,
    title: labelWords(`${texts.newTask}: ${database.name}`, MAX_FORM_TITLE),
    components,
  });
}

/** The database and draft that the form was opened for; null for a custom id that is not ours. */
export function toFormTarget([database, draftId]: string[]) {
  const databaseId = toNotionId(database);
  return databaseId && draftId && /^\d{1,20}$/.test(draftId) ? { databaseId, draftId } : null;
}

/** The draft as submitted. */
export function toDraft(
  fields: Fields,
  { permalink, message }: Pick<TaskDraft, 'permalink' | 'message'>,
): TaskDraft {
  const field = (name: string) => fields.get(name)?.[0]?.trim() ?? '';
  return {
    title: fitPlain(field('title'), MAX_TITLE),
    statusId: field('status') || null,
    assigneeId: field('assignee') || null,
    due: field('due'),
    description: fitPlain(field('description'), MAX_DESCRIPTION),
    permalink,
    message,
  };
}

function titlePart({ title }: TaskDraft): APILabelComponent {
  return {
    type: ComponentType.Label,
    label: texts.titleLabel,
    component: {
      type: ComponentType.TextInput,
      custom_id: 'title',
      style: TextInputStyle.Short,
      max_length: MAX_TITLE,
      ...(title ? { value: fitPlain(title, MAX_TITLE) } : {}),
    },
  };
}

function statusPart({ status }: TaskDatabase, { statusId }: TaskDraft): APILabelComponent[] {
  const options = status.options.slice(0, MAX_ENTRIES).map(({ id, name, group }) => ({
    value: id,
    label: labelWords(name, MAX_ENTRY) || id,
    ...described(group),
    ...(id === statusId ? { default: true } : {}),
  }));
  if (options.length === 0) return [];
  const hidden = status.options.length > MAX_ENTRIES;
  return [
    {
      type: ComponentType.Label,
      label: labelWords(status.name, MAX_FIELD_LABEL) || texts.notion,
      ...(hidden ? { description: texts.moreStatuses(status.options.length) } : {}),
      component: {
        type: ComponentType.StringSelect,
        custom_id: 'status',
        options,
        min_values: 0,
        required: false,
      },
    },
  ];
}

function assigneePart({ people }: TaskDatabase, { assigneeId }: TaskDraft): APILabelComponent[] {
  if (!people) return [];
  return [
    {
      type: ComponentType.Label,
      label: labelWords(people.name, MAX_FIELD_LABEL) || texts.notion,
      description: texts.assigneeHint,
      component: {
        type: ComponentType.UserSelect,
        custom_id: 'assignee',
        min_values: 0,
        required: false,
        ...(assigneeId ? { default_values: [{ id: assigneeId, type: 'user' }] } : {}),
      } as APILabelComponent['component'],
    },
  ];
}

function duePart({ due }: TaskDatabase, draft: TaskDraft): APILabelComponent[] {
  if (!due) return [];
  return [
    {
      type: ComponentType.Label,
      label: labelWords(due.name, MAX_FIELD_LABEL) || texts.notion,
      description: texts.dateHint,
      component: {
        type: ComponentType.TextInput,
        custom_id: 'due',
        style: TextInputStyle.Short,
        max_length: MAX_DUE,
        required: false,
        ...(draft.due ? { value: fitPlain(draft.due, MAX_DUE) } : {}),
      },
    },
  ];
}

function descriptionPart({ description, permalink }: TaskDraft): APILabelComponent {
  return {
    type: ComponentType.Label,
    label: texts.descriptionLabel,
    ...(permalink ? { description: texts.fromMessage } : {}),
    component: {
      type: ComponentType.TextInput,
      custom_id: 'description',
      style: TextInputStyle.Paragraph,
      max_length: MAX_DESCRIPTION,
      required: false,
      ...(description ? { value: fitPlain(description, MAX_DESCRIPTION) } : {}),
    },
  };
}
