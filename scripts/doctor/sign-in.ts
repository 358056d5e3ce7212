import { createHash, randomBytes } from 'node:crypto';
import { CONNECTIONS, SIGN_IN_CALLBACK, SIGN_IN_SCOPE } from '@/lib/integrations/identity/identity-provider';
import { type Answer, REFUSED } from './ask';
import { type Finding, orFine, remark, wrong } from './finding';
import { readDiscovery } from './identity';
import type { Context, Subject } from './subject';

/** Whether people can sign in and out at the identity provider, tried up to the point where a person has to act. */
export const signIn: Subject = {
  name: 'Sign-in',
  check: async (context) => {
    const endpoints = await readDiscovery(context);
    if (!endpoints) return [];
    const found = [
      ...(await checkLogin(context, endpoints.authorization_endpoint)),
      ...(await checkLogout(context, endpoints.end_session_endpoint)),
    ];
    return orFine(found, 'Sign-in and logout lead back to the application.');
  },
};

async function checkLogin({ env, ask }: Context, endpoint: string): Promise<Finding[]> {
  const callback = `${env.APP_URL}${SIGN_IN_CALLBACK}`;
  const connection = CONNECTIONS[env.ENVIRONMENT];
  const url = new URL(endpoint);
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: env.AUTH0_CLIENT_ID,
    redirect_uri: callback,
    scope: SIGN_IN_SCOPE,
    audience: env.AUTH0_AUDIENCE,
    connection,
    state: 'doctor',
    nonce: 'doctor',
    code_challenge: createHash('sha256').update(randomBytes(32)).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString();
  const answer = await ask('GET', url.href, { headers: { accept: 'text/html' } });
  if (answer.status >= REFUSED) {
    const text = `The identity provider refuses the sign-in with ${answer.status}.`;
    const fix = `Add ${callback} to the Allowed Callback URLs of the application, and enable the connection ${connection} for it.`;
    return [wrong(text, fix)];
  }
  return explain(refusalIn(answer, callback), env.AUTH0_AUDIENCE, connection);
}

/** The error with which the provider would redirect the browser; undefined when it asks a person to sign in. */
function refusalIn({ headers }: Answer, callback: string): string | undefined {
  const { location = '' } = headers;
  if (!location.startsWith(callback)) return undefined;
  const query = new URL(location).searchParams;
  return query.has('error') ? `${query.get('error')}: ${query.get('error_description') ?? ''}` : undefined;
}

function explain(refusal: string | undefined, audience: string, connection: string): Finding[] {
  if (!refusal) return [];
  const text = `The identity provider refuses the sign-in (${refusal}).`;
  if (/connection/i.test(refusal)) {
    return [
      wrong(text, `Name the connection with Discord ${connection}, and enable it for the application.`),
    ];
  }
  return [
    wrong(text, `Create an API with the identifier ${audience}, or set AUTH0_AUDIENCE to that of yours.`),
  ];
}

async function checkLogout({ env, ask }: Context, endpoint: string | undefined): Promise<Finding[]> {
  if (!endpoint)
    return [remark('The provider names no page that ends its session.', 'Enable RP-initiated logout.')];
  const url = new URL(endpoint);
  const landing = `${env.APP_URL}/?mode=app`;
  url.search = new URLSearchParams({
    client_id: env.AUTH0_CLIENT_ID,
    post_logout_redirect_uri: landing,
  }).toString();
  const { status } = await ask('GET', url.href, { headers: { accept: 'text/html' } });
  if (status < REFUSED) return [];
  return [
    wrong(
      `The identity provider refuses to return to ${landing} after a logout.`,
      `Add ${landing} to the Allowed Logout URLs of the application.`,
    ),
  ];
}
