/** @jsxImportSource hono/jsx */
import type { Option, PropertyOf } from '../property';

interface OptionSelectProps {
  common: Record<string, unknown>;
  property: PropertyOf<'select'> | PropertyOf<'status'>;
  chosen: string | null;
}

/** A coloured pill that opens as a list; the options of a status are grouped. */
export function OptionSelect({ common, property, chosen }: OptionSelectProps) {
  const color = property.options.find((each) => each.id === chosen)?.color;
  const draw = (each: Option) => (
    <option key={each.id} value={each.id} selected={each.id === chosen}>
      {each.name}
    </option>
  );
  return (
    <select {...common} class={color ? `pill ${color}` : 'pill unset'}>
      {property.type === 'select' || chosen === null ? (
        <option value="" selected={chosen === null}>
          {'\u2013'}
        </option>
      ) : null}
      {property.type === 'status'
        ? property.groups.map((group) => (
            <optgroup key={group.id} label={group.name}>
              {group.option_ids
                .flatMap((id) => property.options.find((each) => each.id === id) ?? [])
                .map(draw)}
            </optgroup>
          ))
        : property.options.map(draw)}
    </select>
  );
}
