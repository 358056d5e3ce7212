/** @jsxImportSource hono/jsx */
import type { Member, Row } from '../notion-state';
import type { NotionWorld } from '../notion-world';
import type { Property } from '../property';
import { plainText } from '../rich-text';
import { ComputedValue } from './computed-value';
import { MultiPicker } from './multi-picker';
import { OptionSelect } from './option-select';

interface CellProps {
  world: NotionWorld;
  row: Row;
  property: Property;
  /** The row's title, for the label "Status of <title>". */
  title: string;
}

/** The control that shows and edits one property of one row. */
export function PropertyCell({ world, row, property, title }: CellProps) {
  const members = world.members(world.databaseOf(row).workspaceId);
  const value = row.values[property.id];
  const common = {
    'aria-label': `${property.name} of ${title}`,
    'data-row': row.id,
    'data-property': property.id,
    'data-key': `${row.id} ${property.id}`,
    disabled: row.inTrash,
    autocomplete: 'off',
  };
  switch (property.type) {
    case 'title':
    case 'rich_text': {
      const text = value?.type === 'text' ? plainText(value.items, members) : '';
      return (
        <input
          type="text"
          {...common}
          value={text}
          placeholder={property.type === 'title' ? 'Untitled' : ''}
        />
      );
    }
    case 'number':
      return (
        <input
          type="number"
          step="any"
          {...common}
          value={value?.type === 'number' ? (value.number ?? '') : ''}
        />
      );
    case 'url':
    case 'email':
    case 'phone_number': {
      const type = { url: 'url', email: 'email', phone_number: 'tel' }[property.type];
      return <input type={type} {...common} value={value?.type === 'string' ? (value.string ?? '') : ''} />;
    }
    case 'checkbox':
      return <input type="checkbox" {...common} checked={value?.type === 'checkbox' && value.checked} />;
    case 'date':
      return (
        <DateFields
          common={common}
          endLabel={`${property.name} end of ${title}`}
          value={value?.type === 'date' ? value.date : null}
        />
      );
    case 'select':
    case 'status':
      return (
        <OptionSelect
          common={common}
          property={property}
          chosen={value?.type === 'option' ? value.id : null}
        />
      );
    case 'multi_select':
      return (
        <MultiPicker
          labelEnd={`${property.name}, ${title}`}
          common={common}
          chosen={value?.type === 'options' ? value.ids : []}
          choices={property.options}
        />
      );
    case 'people':
      return (
        <MultiPicker
          labelEnd={`${property.name}, ${title}`}
          common={common}
          chosen={value?.type === 'people' ? value.ids : []}
          choices={peopleChoices(members)}
        />
      );
    case 'relation':
      return (
        <MultiPicker
          labelEnd={`${property.name}, ${title}`}
          common={common}
          chosen={value?.type === 'relation' ? value.ids : []}
          choices={relationChoices(world, property.dataSourceId)}
        />
      );
    default:
      return <ComputedValue world={world} row={row} property={property} members={members} />;
  }
}

function DateFields(props: {
  common: Record<string, unknown>;
  endLabel: string;
  value: { start: string; end: string | null } | null;
}) {
  const { common, endLabel, value } = props;
  return (
    <span class="dates">
      <input type="date" {...common} value={value?.start.slice(0, 10) ?? ''} data-end={value?.end ?? ''} />
      {value?.end ? (
        <>
          <span aria-hidden="true">→</span>
          <input
            type="date"
            {...common}
            aria-label={endLabel}
            data-key={`${String(common['data-key'])} end`}
            value={value.end.slice(0, 10)}
            data-start={value.start}
          />
        </>
      ) : null}
    </span>
  );
}

function peopleChoices(members: Member[]) {
  return members
    .filter((each) => each.role !== 'bot')
    .map((each) => ({ id: each.id, name: each.name, color: 'default' }));
}

function relationChoices(world: NotionWorld, dataSourceId: string) {
  return world
    .rowsOf(dataSourceId)
    .map((row) => ({ id: row.id, name: rowTitle(row) || 'Untitled', color: 'default' }));
}

function rowTitle(row: Row): string {
  const title = row.values['title'];
  return title?.type === 'text' ? plainText(title.items, []) : '';
}
