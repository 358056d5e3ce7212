import { z } from 'zod';
import type { Env } from '@/lib/env';
import {
  clientProof,
  type Discovery,
  discoverySchema,
  discoveryUrl,
  SIGN_IN_CALLBACK,
} from '@/lib/integrations/identity/identity-provider';
import { type Ask, UNAUTHORIZED } from './ask';
import { type Finding, orFine, wrong } from './finding';
import type { Context, Subject } from './subject';

const errorSchema = z.object({ error: z.string() });
const keysSchema = z.object({ keys: z.array(z.object({ alg: z.string().optional(), kty: z.string() })) });

// RFC 6749; Auth0 says access_denied for a wrong secret.
const BAD_CLIENT = ['invalid_client', 'access_denied'];

const GRANTS = [
  { type: 'authorization_code', name: 'Authorization Code', spent: 'code' },
  { type: 'refresh_token', name: 'Refresh Token', spent: 'refresh_token' },
];

/** Checks the identity provider's endpoints, its keys and our client. */
export const identity: Subject = {
  name: 'Identity provider',
  check: async (context) => {
    const endpoints = await readDiscovery(context);
    if (!endpoints) {
      return [
        wrong(
          `There is no discovery document at ${discoveryUrl(context.env.AUTH0_DOMAIN)}.`,
          'Set AUTH0_DOMAIN to the domain of the tenant, as its settings show it.',
        ),
      ];
    }
    const found = [
      ...checkIssuer(context.env, endpoints.issuer),
      ...(await checkKeys(context.ask, endpoints.jwks_uri)),
      ...(await checkClient(context, endpoints)),
    ];
    return orFine(found, 'The identity provider knows our client and its secret.');
  },
};

/** The provider's endpoints; undefined when AUTH0_DOMAIN leads to none. */
export async function readDiscovery({ env, ask }: Context) {
  const answer = await ask('GET', discoveryUrl(env.AUTH0_DOMAIN));
  return discoverySchema.safeParse(answer.json).data;
}

function checkIssuer({ AUTH0_DOMAIN }: Env, issuer: string): Finding[] {
  const { host } = new URL(discoveryUrl(AUTH0_DOMAIN));
  if (URL.canParse(issuer) && new URL(issuer).host === host) return [];
  return [wrong(`The provider calls itself ${issuer}, not ${host}.`, 'Set AUTH0_DOMAIN to that name.')];
}

async function checkKeys(ask: Ask, address: string): Promise<Finding[]> {
  const { json } = await ask('GET', address);
  const { keys = [] } = keysSchema.safeParse(json).data ?? {};
  if (keys.some(({ kty, alg = 'RS256' }) => kty === 'RSA' && alg === 'RS256')) return [];
  return [wrong('The provider has no RS256 key.', 'Let the API sign its tokens with RS256.')];
}

/** Tries to redeem a code that was never issued. A provider that knows the client refuses only the code. */
async function checkClient({ env, ask }: Context, endpoints: Discovery): Promise<Finding[]> {
  const proof = clientProof(endpoints, env);
  const found: Finding[] = [];
  for (const { type, name, spent } of GRANTS) {
    const redirect = { redirect_uri: `${env.APP_URL}${SIGN_IN_CALLBACK}`, code_verifier: 'x'.repeat(43) };
    const { status, json } = await ask('POST', endpoints.token_endpoint, {
      headers: proof.headers,
      form: { grant_type: type, [spent]: 'doctor', ...(spent === 'code' && redirect), ...proof.form },
    });
    const { error = '' } = errorSchema.safeParse(json).data ?? {};
    if (status === UNAUTHORIZED || BAD_CLIENT.includes(error)) {
      const text = 'The identity provider refuses AUTH0_CLIENT_ID with AUTH0_CLIENT_SECRET.';
      return [wrong(text, "Copy both from the application's settings; its credentials are sent as Basic.")];
    }
    if (error === 'unauthorized_client') {
      found.push(wrong(`The application may not use the grant ${name}.`, 'Tick it under Grant Types.'));
    } else if (error !== 'invalid_grant') {
      found.push(wrong(`The identity provider answered ${status} ${error}.`, 'See the logs of the tenant.'));
    }
  }
  return found;
}
