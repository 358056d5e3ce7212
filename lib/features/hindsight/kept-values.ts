import type { Database } from '@/lib/integrations/notion/notion-catalog';
import type { PropertyValue } from '@/lib/integrations/notion/property-value';
import { MAX_VALUE } from '../matching/shown-value';
import { isSameProperty, type Summary } from '../matching/summary';
import type { Kept } from './past';

type Property = Database['properties'][number];

/** The values that a log kept of an event, as far as its texts identify them. */
export function toKept({ changes }: Summary, properties: Property[]): Kept {
  const kept: Kept = new Map();
  for (const change of changes) {
    const { before, after } = change;
    const property = properties.find(({ id, name }) => isSameProperty(change, { propertyId: id, name }));
    // A name that several changes share does not identify the property.
    if (!property || changes.filter((other) => isSameProperty(change, other)).length > 1) continue;
    kept.set(property.id, {
      before: before === null ? null : toValue(property, before),
      after: toValue(property, after),
    });
  }
  return kept;
}

const LONG = MAX_VALUE - 1;

/** The value that was shown as a text; null if several values have the same text. */
function toValue({ type, options }: Property, text: string): PropertyValue | null {
  switch (type) {
    case 'status':
    case 'select': {
      if (text === '') return { type, key: '', text };
      const option = options.find(({ name }) => name === text);
      return option ? { type, key: option.id, text, optionId: option.id, color: option.color } : null;
    }
    case 'multi_select': {
      const names = text === '' ? [] : text.split(', ');
      const ids = names.flatMap((each) => options.find(({ name }) => name === each)?.id ?? []);
      const isWhole = ids.length === names.length && text.length < LONG;
      return isWhole ? { type, key: ids.toSorted().join(','), text, ids } : null;
    }
    case 'title':
    case 'rich_text':
    case 'url':
    case 'email':
    case 'phone_number':
    case 'number':
    case 'checkbox':
      // A longer text may have been cut.
      return text.length < LONG ? { type, key: text, text } : null;
    default:
      // Dates are written in words and people by their names, so only an empty text identifies the value.
      return text === '' ? { type, key: '', text } : null;
  }
}
