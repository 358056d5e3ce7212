/** @jsxImportSource hono/jsx */

interface MultiPickerProps {
  common: Record<string, unknown>;
  /** Ends the label of each choice: "Jonas Brandt (Assignee, Title)". */
  labelEnd: string;
  chosen: string[];
  choices: { id: string; name: string; color: string }[];
}

/** Several values as pills; when opened, shows a checkbox for each choice. */
export function MultiPicker({ common, labelEnd, chosen, choices }: MultiPickerProps) {
  const label = String(common['aria-label']);
  const shown = chosen.flatMap((id) => choices.find((each) => each.id === id) ?? []);
  return (
    <details class="picker" id={`picker ${String(common['data-key'])}`}>
      <summary aria-label={label}>
        {shown.map((each) => (
          <span key={each.id} class={`pill ${each.color}`}>
            {each.name}
          </span>
        ))}
        {shown.length === 0 ? <span class="quiet">{'\u2013'}</span> : null}
      </summary>
      <fieldset class="choices" aria-label={`Choices (${labelEnd})`}>
        {choices.map((each) => (
          <label key={each.id}>
            <input
              type="checkbox"
              {...common}
              data-multiple
              aria-label={`${each.name} (${labelEnd})`}
              data-key={`${String(common['data-key'])} ${each.id}`}
              value={each.id}
              checked={chosen.includes(each.id)}
            />
            <span class={`pill ${each.color}`}>{each.name}</span>
          </label>
        ))}
      </fieldset>
    </details>
  );
}
