import { NotionError } from '../notion-error';
import { CAPABILITIES, type Capability } from '../notion-state';
import type { NotionWorld } from '../notion-world';

/** The connection's capabilities, as set in the developer portal. */
export const capabilitiesOf = (world: NotionWorld): readonly Capability[] =>
  world.settings.capabilities ?? CAPABILITIES;

/** Refuses a call that the connection's capabilities do not allow. */
export function requireCapability(world: NotionWorld, method: string, path: string): void {
  const needed = neededFor(method, path);
  if (!needed || capabilitiesOf(world).includes(needed)) return;
  throw new NotionError(403, 'restricted_resource', 'Insufficient permissions for this endpoint.');
}

function neededFor(method: string, path: string): Capability | undefined {
  if (path.startsWith('/v1/users')) return undefined;
  if (path.startsWith('/v1/comments')) return method === 'GET' ? 'read_comments' : 'insert_comments';
  if (method === 'PATCH') return 'update_content';
  return method === 'POST' && path === '/v1/pages' ? 'insert_content' : 'read_content';
}
