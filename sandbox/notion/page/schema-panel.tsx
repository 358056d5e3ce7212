/** @jsxImportSource hono/jsx */
import type { Database } from '../notion-state';
import { COLORS, type Property } from '../property';
import { ADDABLE_TYPES } from '../schema-edits';

/** Renames, adds and deletes properties and options. Each form is one schema edit, sent by the page's script. */
export function SchemaPanel({ database }: { database: Database }) {
  return (
    <details class="panel" id="schema">
      <summary>Properties</summary>
      <ul class="schema" data-schema={database.id}>
        {database.properties.map((each) => (
          <PropertyLine key={each.id} property={each} />
        ))}
        <li>
          <form data-action="add property">
            <input name="name" aria-label="Name of the new property" placeholder="New property" required />
            <select name="type" aria-label="Type of the new property">
              {ADDABLE_TYPES.map((type) => (
                <option key={type} value={type}>
                  {type.replaceAll('_', ' ')}
                </option>
              ))}
            </select>
            <button type="submit" class="plain">
              Add property
            </button>
          </form>
        </li>
      </ul>
    </details>
  );
}

function PropertyLine({ property }: { property: Property }) {
  return (
    <li>
      <div class="line">
        <form data-action="rename property" data-of={property.id}>
          <input
            name="name"
            value={property.name}
            aria-label={`Name of property ${property.name}`}
            required
          />
          <small>{property.type.replaceAll('_', ' ')}</small>
          <button type="submit" class="plain" aria-label={`Rename property ${property.name}`}>
            Rename
          </button>
        </form>
        {property.type === 'title' ? null : (
          <form data-action="delete property" data-of={property.id}>
            <button type="submit" class="icon" aria-label={`Delete property ${property.name}`}>
              ×
            </button>
          </form>
        )}
      </div>
      {'options' in property ? <OptionLines property={property} /> : null}
    </li>
  );
}

function OptionLines({ property }: { property: Extract<Property, { options: unknown }> }) {
  const ofProperty = `of ${property.name}`;
  return (
    <ul class="options">
      {property.options.map((each) => (
        <li key={each.id} class="line">
          <form data-action="rename option" data-of={property.id} data-option={each.id}>
            <span class={`dot ${each.color}`} aria-hidden="true" />
            <input
              name="name"
              value={each.name}
              aria-label={`Name of option ${each.name} ${ofProperty}`}
              required
            />
            <button type="submit" class="plain" aria-label={`Rename option ${each.name} ${ofProperty}`}>
              Rename
            </button>
          </form>
          <form data-action="delete option" data-of={property.id} data-option={each.id}>
            <button type="submit" class="icon" aria-label={`Delete option ${each.name} ${ofProperty}`}>
              ×
            </button>
          </form>
        </li>
      ))}
      <li>
        <form data-action="add option" data-of={property.id}>
          <input name="name" aria-label={`New option ${ofProperty}`} placeholder="New option" required />
          <select name="color" aria-label={`Colour of the new option ${ofProperty}`}>
            {COLORS.map((color) => (
              <option key={color} value={color}>
                {color}
              </option>
            ))}
          </select>
          {property.type === 'status' ? (
            <select name="group" aria-label={`Group of the new option ${ofProperty}`}>
              {property.groups.map((group) => (
                <option key={group.id} value={group.name}>
                  {group.name}
                </option>
              ))}
            </select>
          ) : null}
          <button type="submit" class="plain" aria-label={`Add option ${ofProperty}`}>
            Add
          </button>
        </form>
      </li>
    </ul>
  );
}
