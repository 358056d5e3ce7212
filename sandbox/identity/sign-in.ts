import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type Provider from 'oidc-provider';
import { PEOPLE } from '../people';
import { subjectOf } from './identity-account';
import { signInPage } from './pages';
import { send } from './respond';

/** Shows the chooser, and passes the choice or an existing session to the provider as the result. */
export async function signIn(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { prompt, params, session, uid, grantId } = await provider.interactionDetails(request, response);
  const { client_id: clientId = '', connection = '' } = params;

  if (prompt.name === 'consent') {
    const grant =
      (grantId ? await provider.Grant.find(grantId) : undefined) ??
      new provider.Grant({ accountId: session?.accountId ?? '', clientId });
    const { missingOIDCScope, missingOIDCClaims, missingResourceScopes } = prompt.details;
    if (missingOIDCScope) grant.addOIDCScope(missingOIDCScope.join(' '));
    if (missingOIDCClaims) grant.addOIDCClaims(missingOIDCClaims);
    for (const [resource, scopes] of Object.entries(missingResourceScopes ?? {})) {
      grant.addResourceScope(resource, scopes.join(' '));
    }
    const consent = { grantId: await grant.save() };
    return provider.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true });
  }

  if (request.method !== 'POST') return send(response, 200, 'text/html', signInPage(`/sign-in/${uid}`));
  const form = new URLSearchParams(await text(request));
  const person = PEOPLE.find(({ key }) => key === form.get('person'));
  const result = person
    ? { login: { accountId: subjectOf(person, connection) } }
    : { error: 'access_denied', error_description: 'User did not authorize the request' };
  return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}
