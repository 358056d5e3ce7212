/** @jsxImportSource hono/jsx */
import type { StoredUser } from '../state';

export function Avatar({ user, small = false }: { user: StoredUser; small?: boolean }) {
  return (
    <span class={small ? 'avatar small' : 'avatar'} style={`background:${user.colour}`} aria-hidden="true">
      {user.globalName.slice(0, 1)}
    </span>
  );
}
