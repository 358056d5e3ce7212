import { UnsecuredJWT } from 'jose';
import { beforeEach, expect, test } from 'vitest';
import { answerAt } from '@/lib/testing/answer-at';

const SUB = 'oauth2|discord|80351110224678912';
let userinfo: { status: number; body: unknown };
let asked: (string | undefined)[];
answerAt('AUTH0_DOMAIN', (request, response) => {
  const here = `http://${request.headers.host}`;
  const isUserinfo = request.url === '/userinfo';
  if (isUserinfo) asked.push(request.headers.authorization);
  const endpoints = { authorization_endpoint: here, token_endpoint: here, jwks_uri: here };
  const document = { issuer: `${here}/`, ...endpoints, userinfo_endpoint: `${here}/userinfo` };
  response.writeHead(isUserinfo ? userinfo.status : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(isUserinfo ? userinfo.body : document));
});

beforeEach(() => {
  asked = [];
  userinfo = { status: 200, body: { sub: SUB, nickname: 'mira', email: 'mira@example.com', picture: null } };
});

async function profileOf(claims: Record<string, unknown>) {
  const { readProfile } = await import('./read-profile');
  return readProfile({ id_token: new UnsecuredJWT({ sub: SUB, ...claims }).encode(), access_token: 'a.b.c' });
}

const NOTHING = { sub: SUB, nickname: null, name: null, email: null, picture: null };
const WHOLE = { nickname: 'vera', email: 'vera@example.com', picture: 'https://cdn.example/vera.png' };

test('a whole profile in the id token is taken from there', async () => {
  expect(await profileOf(WHOLE)).toEqual({ ...NOTHING, ...WHOLE });
  expect(asked).toEqual([]);
});

test.each<[string, object, object]>([
  ['everything', {}, { nickname: 'mira', email: 'mira@example.com' }],
  ['the address', { ...WHOLE, email: undefined }, { ...WHOLE, email: 'mira@example.com' }],
  ['the picture', { ...WHOLE, picture: null }, { ...WHOLE, picture: null }],
  ['the name', { ...WHOLE, nickname: '' }, { ...WHOLE, nickname: 'mira' }],
])('when the id token leaves out %s, it is read from the provider', async (_, claims, expected) => {
  expect(await profileOf({ ...claims })).toEqual({ ...NOTHING, ...expected });
  expect(asked).toEqual(['Bearer a.b.c']);
});

test('an address that only the userinfo has is as verified as it says', async () => {
  userinfo.body = { sub: SUB, email: 'mira@example.com', email_verified: false };
  expect(await profileOf({ nickname: 'mira' })).toMatchObject({ email_verified: false });
});

test.each<[string, { status: number; body: unknown }]>([
  ['is refused', { status: 401, body: { error: 'invalid_token' } }],
  ['is about somebody else', { status: 200, body: { sub: 'oauth2|discord|1', nickname: 'eve' } }],
  ['has an unknown shape', { status: 200, body: [] }],
])('somebody whose userinfo %s is signed in without a name', async (_, answer) => {
  userinfo = answer;
  expect(await profileOf({})).toEqual(NOTHING);
});
