/** @jsxImportSource hono/jsx */
import type { Database, Row } from '../notion-state';
import type { NotionWorld } from '../notion-world';
import type { Property } from '../property';
import { titleOf } from '../simple-value';
import { PropertyCell } from './property-cell';
import { SchemaPanel } from './schema-panel';

const WIDTHS: Partial<Record<Property['type'], string>> = {
  title: 'wide',
  rich_text: 'wide',
  number: 'narrow',
  checkbox: 'narrow',
  unique_id: 'narrow',
  formula: 'narrow',
};

export function DatabaseView({ world, database }: { world: NotionWorld; database: Database }) {
  const rows = world.rowsOf(database.dataSourceId);
  const trashed = rows.filter((row) => row.inTrash);
  return (
    <>
      <h1>
        <span aria-hidden="true">{database.icon}</span> {database.name}
      </h1>
      <p class="quiet">{database.description}</p>
      <SchemaPanel database={database} />
      <div class="scroll" id="table-scroll">
        <table class="rows">
          <thead>
            <tr>
              {database.properties.map((each) => (
                <th key={each.id} scope="col" class={WIDTHS[each.type] ?? ''}>
                  {each.name}
                </th>
              ))}
              <th scope="col" class="narrow">
                <span class="hidden-label">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows
              .filter((row) => !row.inTrash)
              .map((row) => (
                <TableRow key={row.id} world={world} database={database} row={row} />
              ))}
          </tbody>
        </table>
      </div>
      <form class="new-row" id="new-row" method="post" action={`/ui/databases/${database.id}/rows`}>
        <input
          name="title"
          aria-label="Name of the new row"
          placeholder="New row"
          autocomplete="off"
          data-key="new-row"
        />
        <button type="submit" class="plain">
          Add row
        </button>
      </form>
      {trashed.length > 0 ? (
        <details class="panel" id="trash">
          <summary>Trash ({trashed.length})</summary>
          <ul class="trash">
            {trashed.map((row) => (
              <TrashedRow key={row.id} row={row} title={titleOf(database, row) || 'Untitled'} />
            ))}
          </ul>
        </details>
      ) : null}
    </>
  );
}

function TableRow({ world, database, row }: { world: NotionWorld; database: Database; row: Row }) {
  const title = titleOf(database, row, world.members(database.workspaceId)) || 'Untitled';
  return (
    <tr>
      {database.properties.map((property) => (
        <td key={property.id} class={property.type}>
          <PropertyCell world={world} row={row} property={property} title={title} />
          {property.type === 'title' ? (
            <a class="open" href={`/p/${row.id.replaceAll('-', '')}`} aria-label={`Open ${title}`}>
              Open
            </a>
          ) : null}
        </td>
      ))}
      <td>
        <form method="post" action={`/ui/rows/${row.id}/trash`}>
          <button type="submit" class="icon" aria-label={`Move ${title} to trash`} title="Move to trash">
            ×
          </button>
        </form>
      </td>
    </tr>
  );
}

function TrashedRow({ row, title }: { row: Row; title: string }) {
  return (
    <li>
      {title}
      <form method="post" action={`/ui/rows/${row.id}/trash`}>
        <button type="submit" name="restore" value="yes" class="plain" aria-label={`Restore ${title}`}>
          Restore
        </button>
      </form>
    </li>
  );
}
