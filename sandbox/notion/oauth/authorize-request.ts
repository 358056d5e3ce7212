import type { NotionWorld } from '../notion-world';

export interface AuthorizeRequest {
  clientId: string;
  redirectUri: string;
  state: string | undefined;
}

/** Checks the parameters of an authorization link; returns a sentence if something is wrong with them. */
export function readAuthorizeRequest(
  world: NotionWorld,
  given: Record<string, string | undefined>,
): AuthorizeRequest | string {
  const { client_id, redirect_uri, response_type, owner, state } = given;
  if (client_id !== world.context.credentials.notion.clientId) return 'client_id is missing or unknown.';
  const registered = `${world.context.appUrl}/api/notion/callback`;
  if (redirect_uri !== registered) return `redirect_uri is not registered: it has to be ${registered}.`;
  if (response_type !== 'code') return 'response_type has to be "code".';
  if (owner !== 'user') return 'owner has to be "user".';
  return { clientId: client_id, redirectUri: redirect_uri, state };
}

/** The URL that the browser is redirected to with the answer. */
export function redirectTarget(request: AuthorizeRequest, answer: Record<string, string>): string {
  const url = new URL(request.redirectUri);
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
  if (request.state !== undefined) url.searchParams.set('state', request.state);
  return url.toString();
}
