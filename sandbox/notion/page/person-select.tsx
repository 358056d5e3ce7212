/** @jsxImportSource hono/jsx */
import type { Member } from '../notion-state';
import type { NotionWorld } from '../notion-world';

/** Everyone who can use the browser; choosing submits the surrounding form. */
export function PersonSelect(props: { label: string; world: NotionWorld; person: Member }) {
  const { label, world, person } = props;
  const people = world.state.workspaces.flatMap((each) => each.members);
  return (
    <label>
      {label}
      <select name="person" data-autosubmit>
        {people
          .filter((each) => each.role !== 'bot')
          .map((each) => (
            <option key={each.key} value={each.key} selected={each.id === person.id}>
              {each.name}
            </option>
          ))}
      </select>
    </label>
  );
}
