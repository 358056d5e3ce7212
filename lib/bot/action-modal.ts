import { type APILabelComponent, ComponentType, TextInputStyle } from 'discord-api-types/v10';
import { texts } from '@/lib/bot-texts';
import { fitPlain } from '@/lib/discord-text';
import type { OfferedAction } from '@/lib/features/acting/require-action';
import { type Action, actionName, setting } from '@/lib/features/actions/words';
import { type ActionTarget, actionTarget } from '@/lib/features/cards/action-id';
import { labelWords } from '@/lib/features/cards/line-text';
import { MAX_ENTRIES, MAX_ENTRY } from '@/lib/features/cards/menus';
import { MAX_FIELD_DESCRIPTION, MAX_FIELD_LABEL, MAX_FORM_TITLE } from './component-limits';
import type { Fields } from './interaction';
import { modal, type Reply } from './reply';

// https://discord.com/developers/docs/components/reference
const MAX_PEOPLE = 25;
const MAX_LONG_TEXT = 4000;
// Enough room for an entry that does not fit, so that the reply can explain it.
const MAX_SHORT_TEXT = 300;

// The only field is named after the type of its property, which may have become another when the form is sent.
const ENTERED = 'entered';
const CHOSEN = 'chosen';
const nameOf = (how: string, type = '') => (type ? `${how}:${type}` : how);

/**
 * What was entered into the form for a property of a type, or for a comment without a type, and whether options were
 * chosen from a menu there. Null for a form that was made for another type.
 */
export function entryOf(fields: Fields, type?: string): { entered: string[]; isChosen: boolean } | null {
  const chosen = fields.get(nameOf(CHOSEN, type));
  const entered = chosen ?? fields.get(nameOf(ENTERED, type));
  return entered ? { entered, isChosen: chosen !== undefined } : null;
}

type Property = NonNullable<OfferedAction['property']>;
type Field = APILabelComponent['component'];
type Part = Pick<APILabelComponent, 'label' | 'description' | 'component'>;

/** The form with one field that a button of a card opens. */
export function actionModal(
  target: ActionTarget,
  { action, property }: Pick<OfferedAction, 'action' | 'property'>,
): Reply {
  const { component, ...part } = property ? partFor(action, property) : commentPart();
  const how = component.type === ComponentType.StringSelect ? CHOSEN : ENTERED;
  const field = { ...component, custom_id: nameOf(how, property?.type) } as Field;
  // Due dates and statuses are set like any other property.
  const title = actionName(property && action !== 'assign' ? setting(property.id) : action, property?.name);
  return modal({
    custom_id: `act-form:${actionTarget(target)}`,
    title: labelWords(title, MAX_FORM_TITLE) || texts.notion,
    components: [
      {
        type: ComponentType.Label,
        ...part,
        label: labelWords(part.label, MAX_FIELD_LABEL) || texts.notion,
        component: field,
      },
    ],
  });
}

const commentPart = (): Part => ({
  label: actionName('comment'),
  component: {
    type: ComponentType.TextInput,
    custom_id: ENTERED,
    style: TextInputStyle.Paragraph,
    max_length: MAX_LONG_TEXT,
  },
});

function partFor(action: Action, property: Property): Part {
  const { name: label, type } = property;
  if (action === 'assign') return { label, description: texts.assigneeHint, component: people(1, 1) };
  switch (type) {
    case 'people':
      return { label, description: texts.entry.empties, component: people(0, MAX_PEOPLE) };
    case 'checkbox':
      return { label, component: choice([YES, NO], 1, 1) };
    case 'date': {
      const component = text(TextInputStyle.Short, MAX_SHORT_TEXT);
      return { label, description: texts.entry.emptiesDate, component };
    }
    case 'select':
    case 'status':
    case 'multi_select':
      return optionsPart(property);
    default:
      return textPart(property);
  }
}

/** A menu of the options, or a field for their names where they do not fit into a menu. */
function optionsPart({ name: label, type, options }: Property): Part {
  const isList = type === 'multi_select';
  if (isListed(options)) {
    const component = choice(options.map(toChoice), least(type), isList ? options.length : 1);
    return type === 'status' ? { label, component } : { label, description: texts.entry.empties, component };
  }
  const one = type === 'status' ? texts.entry.typeOption : texts.entry.typeOptionOrNone;
  const description = isList ? texts.entry.typeOptions : one;
  const component = text(TextInputStyle.Short, isList ? MAX_LONG_TEXT : MAX_SHORT_TEXT);
  return { label, description, component };
}

function textPart({ name: label, type, unit }: Property): Part {
  const component =
    type === 'rich_text'
      ? text(TextInputStyle.Paragraph, MAX_LONG_TEXT)
      : text(TextInputStyle.Short, MAX_LENGTHS[type] ?? MAX_SHORT_TEXT);
  const hint = unit ? texts.entry.emptiesNumber(unit) : texts.entry.empties;
  const description = type === 'title' ? texts.entry.replaces : fitPlain(hint, MAX_FIELD_DESCRIPTION);
  return { label, description, component };
}

// Notion's limits: https://developers.notion.com/reference/request-limits
const MAX_LENGTHS: Record<string, number> = { email: 200, phone_number: 200, url: 2000 };

const isListed = ({ length }: Property['options']) => length > 0 && length <= MAX_ENTRIES;

// A status cannot be empty.
const least = (type: string) => (type === 'status' ? 1 : 0);

interface Choice {
  label: string;
  value: string;
}

const YES: Choice = { label: texts.entry.yes, value: 'true' };
const NO: Choice = { label: texts.entry.no, value: 'false' };

const toChoice = ({ id, name }: { id: string; name: string }): Choice => ({
  label: labelWords(name, MAX_ENTRY) || id,
  value: id,
});

const choice = (options: Choice[], min_values: number, max_values: number): Field => ({
  type: ComponentType.StringSelect,
  custom_id: ENTERED,
  options,
  min_values,
  max_values,
  required: min_values > 0,
});

const people = (min_values: number, max_values: number) =>
  ({
    type: ComponentType.UserSelect,
    custom_id: ENTERED,
    min_values,
    max_values,
    required: min_values > 0,
  }) as Field;

const text = (
  style: typeof TextInputStyle.Short | typeof TextInputStyle.Paragraph,
  max_length: number,
): Field => ({
  type: ComponentType.TextInput,
  custom_id: ENTERED,
  style,
  max_length,
  required: false,
});
