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

test('somebody who cancelled at the identity provider is told so', async () => {
  const description = 'The+resource+owner+denied+the+request';
  const response = await call(
    'GET',
    `callback/auth0?error=access_denied&error_description=${description}&state=a`,
  );
  expect([response.status, response.headers.get('location')]).toEqual([302, '/callback?error=AccessDenied']);
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
