/** @jsxImportSource hono/jsx */
import { formulaNumber, latest, toMinute } from '../api/property-value';
import type { Member, Row } from '../notion-state';
import type { NotionWorld } from '../notion-world';
import type { Property } from '../property';

/** Values that Notion computes, and files, both of which the sandbox only shows. */
export function ComputedValue(props: {
  world: NotionWorld;
  row: Row;
  property: Property;
  members: Member[];
}) {
  const { row, property } = props;
  const value = row.values[property.id];
  if (property.type === 'files')
    return (
      <span class="computed">
        {(value?.type === 'files' ? value.files : []).map((file) => (
          <span key={file.url} class="pill file">
            {file.name}
          </span>
        ))}
      </span>
    );
  return <span class="computed">{textOf(props)}</span>;
}

function textOf({ world, row, property, members }: Parameters<typeof ComputedValue>[0]): string {
  const name = (id: string) => members.find((each) => each.id === id)?.name ?? 'Someone';
  switch (property.type) {
    case 'created_time':
      return toMinute(row.createdAt).slice(0, 16).replace('T', ' ');
    case 'last_edited_time':
      return toMinute(row.editedAt).slice(0, 16).replace('T', ' ');
    case 'created_by':
      return name(row.createdBy);
    case 'last_edited_by':
      return name(row.editedBy);
    case 'unique_id':
      return property.prefix ? `${property.prefix}-${row.number}` : String(row.number);
    case 'formula':
      return String(formulaNumber(row, property) ?? '');
    case 'rollup': {
      const relation = row.values[property.relationId];
      const rows = (relation?.type === 'relation' ? relation.ids : []).flatMap((id) => world.row(id) ?? []);
      if (property.function !== 'latest_date') return String(rows.length);
      return latest(rows.map((each) => each.values[property.targetId]))?.start ?? '';
    }
    default:
      return '';
  }
}
