import { NextRequest } from 'next/server';
import { expect, test } from 'vitest';
import { POST } from '@/app/api/auth/[...nextauth]/route';
import { authHandler } from './auth-handler';

function call(method: string, path: string, body?: object): Promise<Response> {
  const [pathname = ''] = path.split('?');
  const request = new NextRequest(`http://localhost/api/auth/${path}`, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  return authHandler(request, { params: Promise.resolve({ nextauth: pathname.split('/') }) });
}

test.each([
  ['POST', '_log'],
  ['GET', '_log'],
  ['GET', 'providers'],
  ['GET', 'signout'],
  ['POST', 'signout'],
  ['GET', 'verify-request'],
  ['POST', 'session'],
  ['POST', 'csrf'],
  ['POST', 'callback/auth0'],
  ['GET', 'callback'],
  ['GET', 'callback/other'],
  ['POST', 'callback/credentials'],
  ['GET', 'signin/auth0'],
  ['POST', 'signin'],
  ['POST', 'signin/other'],
  ['POST', 'signin/auth0/more'],
  ['GET', 'constructor'],
])('%s /api/auth/%s, which nobody uses, is no path', async (method, path) => {
  const body = method === 'POST' ? { code: 'forged', level: 'error', message: 'forged' } : undefined;
  await expect(call(method, path, body)).rejects.toMatchObject({ code: 'not_found', status: 404 });
});

test('a way back that stands in the address is refused in a sentence', async () => {
  await expect(call('GET', 'signin?callbackUrl=javascript:forged')).rejects.toMatchObject({
    code: 'invalid_input',
    message: 'callbackUrl belongs in the body of a sign-in.',
  });
});

test.each([
  [
    'error=access_denied&error_description=Verify+your+e-mail.&state=a',
    'AccessDenied',
    'Verify your e-mail.',
  ],
  ['error=access_denied&state=a', 'AccessDenied', null],
  ['error=unauthorized&error_description=user+is+blocked&state=a', 'Callback', 'user is blocked'],
  [`error=login_required&error_description=${'y'.repeat(5000)}`, 'Callback', 'y'.repeat(300)],
])('somebody whom the identity provider sends back with %.50s is told why', async (query, error, reason) => {
  const response = await call('GET', `callback/auth0?${query}`);
  const landed = new URL(response.headers.get('location') ?? '', 'http://localhost');
  const said = landed.searchParams;
  expect([response.status, landed.pathname]).toEqual([302, '/callback']);
  expect([said.get('error'), said.get('error_description')]).toEqual([error, reason]);
});

test.each(['', '{'])('the body %j, which is not the JSON that it says it is, is refused', async (body) => {
  const request = new NextRequest('http://localhost/api/auth/signin/auth0', {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body,
  });
  const response = await POST(request, { params: Promise.resolve({ nextauth: ['signin', 'auth0'] }) });
  expect([response.status, await response.json()]).toEqual([
    400,
    { error: 'The request body is not valid JSON.', code: 'invalid_json' },
  ]);
});
