import { randomBytes, randomUUID } from 'node:crypto';
import type { Authorization, Member } from '../notion-state';
import type { NotionWorld } from '../notion-world';

const CODE_LIFE_MS = 10 * 60_000;

/**
 * Records a person's consent: with the same bot if they consented before, and exactly the databases and pages ticked
 * now. Returns the single-use code for the redirect.
 */
export function grantAccess(
  world: NotionWorld,
  person: Member,
  things: { id: string }[],
  redirectUri: string,
): string {
  const authorization = authorizationOf(world, person);
  const now = world.now();
  authorization.shared = Object.fromEntries(
    things.map((each) => [each.id, authorization.shared[each.id] ?? now]),
  );
  const code = randomBytes(24).toString('base64url');
  const expiresAt = new Date(world.context.now().getTime() + CODE_LIFE_MS).toISOString();
  world.state.codes[code] = { botId: authorization.botId, redirectUri, expiresAt };
  world.save();
  return code;
}

function authorizationOf(world: NotionWorld, person: Member): Authorization {
  const earlier = world.state.authorizations.find((each) => each.personId === person.id);
  if (earlier) return earlier;
  const workspaceId = world.workspaceOf(person.id)?.id;
  if (!workspaceId) throw new Error(`${person.name} is in no workspace.`);
  const created: Authorization = {
    botId: randomUUID(),
    workspaceId,
    personId: person.id,
    shared: {},
    tokens: [],
  };
  world.state.authorizations.push(created);
  return created;
}
