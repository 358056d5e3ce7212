export const COLORS = [
  'default',
  'gray',
  'brown',
  'orange',
  'yellow',
  'green',
  'blue',
  'purple',
  'pink',
  'red',
] as const;
export type Color = (typeof COLORS)[number];

export interface Option {
  id: string;
  name: string;
  color: Color;
  description: string | null;
}

export interface StatusGroup {
  id: string;
  name: string;
  color: Color;
  option_ids: string[];
}

type PlainType =
  | 'title'
  | 'rich_text'
  | 'people'
  | 'files'
  | 'checkbox'
  | 'url'
  | 'email'
  | 'phone_number'
  | 'date'
  | 'created_time'
  | 'created_by'
  | 'last_edited_time'
  | 'last_edited_by';

/** Types whose values the sandbox stores as given. The last stands for one that Notion may add later. */
export const RAW_TYPES = ['verification', 'place', 'button', 'last_visited_time', 'of_next_year'] as const;
export type RawType = (typeof RAW_TYPES)[number];

export const isRaw = (property: Property) => RAW_TYPES.includes(property.type as RawType);

export type PropertyConfig =
  | { type: PlainType | RawType }
  | { type: 'number'; format: string }
  | { type: 'select'; options: Option[] }
  | { type: 'multi_select'; options: Option[] }
  | { type: 'status'; options: Option[]; groups: StatusGroup[] }
  | { type: 'unique_id'; prefix: string | null }
  | { type: 'relation'; databaseId: string; dataSourceId: string }
  /** A number weighted by a select: a simple formula that makes a board believable. */
  | {
      type: 'formula';
      expression: string;
      numberId: string;
      selectId: string;
      factors: Record<string, number>;
    }
  | {
      type: 'rollup';
      relationId: string;
      targetId: string;
      function: 'latest_date' | 'count' | 'show_original';
    };

/** A column of a data source. `id` is in Notion's encoding and is compared as it is. */
export type Property = { id: string; name: string; description: string | null } & PropertyConfig;

export type PropertyOf<T extends Property['type']> = Extract<Property, { type: T }>;

const COMPUTED: readonly Property['type'][] = [
  'formula',
  'rollup',
  'created_time',
  'created_by',
  'last_edited_time',
  'last_edited_by',
  'unique_id',
];

export function isWritable(property: Property): boolean {
  return !COMPUTED.includes(property.type);
}

/** Whether a request means this property: by name, or by id with or without its percent-encoding. */
export function isNamed(property: Property, given: string): boolean {
  return property.name === given || hasId(property, given);
}

export function hasId(property: Property, given: string): boolean {
  return property.id === given || decodeURIComponent(property.id) === given;
}

export function optionsOf(property: Property): Option[] {
  return 'options' in property ? property.options : [];
}
