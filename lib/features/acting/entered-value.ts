import { texts } from '@/lib/bot-texts';
import { foldText } from '@/lib/fold-text';
import { PERCENT, type SchemaProperty } from '@/lib/integrations/notion/notion-catalog';
import { toRichText } from '@/lib/integrations/notion/rich-text';
import { isDay } from '@/lib/time';
import { nameWords } from '../cards/line-text';

const MAX_SHOWN = 100;
const NUMBER = /^[-+]?\d+(\.\d+)?$/;

/** What somebody entered for a property: a value in Notion's format, or what is wrong with it, in a sentence. */
export type Entered = { value: Record<string, unknown> } | { problem: string };

/** The value that was entered for a property that holds no people; `isChosen` if options were chosen from a menu. */
export function toNotionValue(property: SchemaProperty, entered: string[], isChosen = false): Entered {
  const { type } = property;
  const text = entered[0]?.trim() ?? '';
  switch (type) {
    case 'select':
    case 'status':
      return oneOption(property, text, isChosen);
    case 'multi_select':
      return severalOptions(property, entered, isChosen);
    case 'checkbox':
      return { value: { checkbox: text === 'true' } };
    case 'number':
      return number(property, text);
    case 'date':
      return date(property, text);
    case 'title':
      return text ? { value: { title: toRichText(text) } } : { problem: texts.entry.titleNeeded };
    case 'rich_text':
      return { value: { rich_text: toRichText(text) } };
    default:
      return { value: { [type]: text || null } };
  }
}

function oneOption(property: SchemaProperty, given: string, isChosen: boolean): Entered {
  const { type } = property;
  if (!given && type === 'select') return { value: { select: null } };
  const option = optionOf(property, given);
  return option ? { value: { [type]: { id: option } } } : noOption(property, given, isChosen);
}

function severalOptions(property: SchemaProperty, entered: string[], isChosen: boolean): Entered {
  // Chosen options come as ids, typed ones by name.
  const given = isChosen ? entered : entered.flatMap((each) => each.split(',').map((part) => part.trim()));
  const wanted = given.filter(Boolean);
  const unknown = wanted.find((each) => !optionOf(property, each));
  if (unknown !== undefined) return noOption(property, unknown, isChosen);
  const ids = new Set(wanted.map((each) => optionOf(property, each)));
  return { value: { multi_select: [...ids].map((id) => ({ id })) } };
}

/** The id of an option that is given by its id or its name, in which capitals, and how accents are stored, do not matter. */
function optionOf({ options }: SchemaProperty, given: string): string | undefined {
  const found =
    options.find(({ id }) => id === given) ??
    options.find(({ name }) => name === given) ??
    options.find(({ name }) => foldText(name) === foldText(given));
  return found?.id;
}

// Nobody knows an id.
const noOption = ({ name }: SchemaProperty, given: string, isChosen: boolean): Entered => ({
  problem: isChosen ? texts.entry.optionGone(shown(name)) : texts.entry.noOption(shown(name), shown(given)),
});

function number({ name, unit }: SchemaProperty, text: string): Entered {
  if (!text) return { value: { number: null } };
  const written = text.replaceAll(/\s/g, '');
  const isPercentage = unit === PERCENT && written.endsWith('%');
  const digits = isPercentage ? written.slice(0, -1) : written;
  const value = NUMBER.test(digits) ? Number(digits) : Number.NaN;
  return Number.isFinite(value)
    ? { value: { number: isPercentage ? percent(value) : value } }
    : { problem: texts.entry.notANumber(shown(name), shown(text)) };
}

// Without the last digits: 33.3 / 100 is 0.33299999999999996.
const percent = (value: number) => Number((value / 100).toPrecision(15));

function date({ name }: SchemaProperty, text: string): Entered {
  if (!text) return { value: { date: null } };
  return isDay(text)
    ? { value: { date: { start: text } } }
    : { problem: texts.entry.notADate(shown(name), shown(text)) };
}

const shown = (text: string) => nameWords(text, MAX_SHOWN);
