import type { PartialUserObjectResponse, UserObjectResponse } from '@notionhq/client';
import type { Authorization, Member, Workspace } from './notion-state';

const FILE_LIMIT_BYTES = 5 * 1024 * 1024;

/** A user as the API returns it inside pages and lists; only an id if the workspace no longer knows them. */
export function userObject(
  id: string,
  members: Member[],
  withEmail: boolean,
): UserObjectResponse | PartialUserObjectResponse {
  const member = members.find((each) => each.id === id);
  return member ? memberObject(member, withEmail) : { object: 'user', id };
}

/** Whoever stands in a people property: a user, or a group of people. */
export function assignedObject(id: string, members: Member[], withEmail: boolean) {
  const group = members.find((each) => each.id === id && each.role === 'group');
  return group ? { object: 'group' as const, id, name: group.name } : userObject(id, members, withEmail);
}

export function memberObject(member: Member, withEmail: boolean): UserObjectResponse {
  const common = { object: 'user' as const, id: member.id, name: member.name, avatar_url: null };
  if (member.role === 'bot') return { ...common, type: 'bot', bot: {} };
  return { ...common, type: 'person', person: withEmail && member.email ? { email: member.email } : {} };
}

/** The connection's own bot, as `GET /v1/users/me` returns it. */
export function connectionBot(
  authorization: Authorization,
  workspace: Workspace,
  withEmail: boolean,
): UserObjectResponse {
  const owner = workspace.members.find((each) => each.id === authorization.personId);
  return {
    object: 'user',
    id: authorization.botId,
    name: 'Pagewire',
    avatar_url: null,
    type: 'bot',
    bot: {
      owner: {
        type: 'user',
        user: {
          object: 'user',
          id: authorization.personId,
          name: owner?.name ?? null,
          avatar_url: null,
          type: 'person',
          person: withEmail && owner?.email ? { email: owner.email } : {},
        },
      },
      workspace_id: workspace.id,
      workspace_name: workspace.name,
      workspace_limits: { max_file_upload_size_in_bytes: FILE_LIMIT_BYTES },
    },
  };
}
