import {
  addBreadcrumb,
  captureException,
  close,
  flush,
  init,
  startSpan,
  withIsolationScope,
} from '@sentry/nextjs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeError, REPORT_OPTIONS, scrubReport } from './error-report';
import { hideSecrets } from './scrub-text';
import { FAILURES, SECRETS, TOLD_BY_PEOPLE } from './testing/failures';
import { startSentry } from './testing/sentry-stand-in';

const CODE = 'code-of-an-oauth-flow';

let sentry: Awaited<ReturnType<typeof startSentry>>;
beforeAll(async () => {
  sentry = await startSentry();
  init({ ...REPORT_OPTIONS, dsn: sentry.dsn, tracesSampleRate: 1 });
});
afterAll(async () => {
  await close(5000);
  sentry.stop();
});

test('a report keeps where something happened, and none of the parameters of the URL', () => {
  const report = {
    message: `GET https://app.example/api/notion/callback?code=${CODE}&state=s failed`,
    transaction: 'GET /api/notion/callback',
    request: {
      url: `https://app.example/callback?mode=app&code=${CODE}#access_token=${CODE}`,
      method: 'GET',
      query_string: `code=${CODE}`,
      cookies: { 'next-auth.session-token': CODE },
      headers: {
        Host: 'app.example',
        Cookie: CODE,
        Authorization: `Bearer ${CODE}`,
        Referer: `https://x.example/?code=${CODE}`,
      },
    },
    exception: { values: [{ type: 'Error', value: `fetch failed: /callback?${CODE}` }] },
    breadcrumbs: [
      { category: 'navigation', data: { from: `/callback?code=${CODE}`, to: '/setup' } },
      {
        category: 'fetch',
        data: { url: `/api/x?code=${CODE}`, 'http.query': CODE, 'http.fragment': CODE, status_code: 200 },
      },
    ],
    contexts: {
      trace: {
        data: {
          'url.full': `http://x.example/a?code=${CODE}`,
          'http.target': `/a?${CODE}`,
          'url.query': CODE,
        },
      },
      nextjs: { request_path: `/api/notion/callback?code=${CODE}` },
    },
    spans: [
      {
        description: `GET https://api.example/v1/x?token=${CODE}`,
        data: {
          'http.request.header.cookie.next_auth': CODE,
          'http.request.header.authorization': CODE,
          'http.request.body.data': CODE,
        },
      },
    ],
    attributes: { 'url.full': { type: 'string', value: `https://x.example/callback?code=${CODE}` } },
  };
  const scrubbed = scrubReport(report);
  expect(JSON.stringify(scrubbed)).not.toContain(CODE);
  expect(scrubbed).toMatchObject({
    message: 'GET https://app.example/api/notion/callback failed',
    transaction: 'GET /api/notion/callback',
    request: { url: 'https://app.example/callback', method: 'GET', headers: { Host: 'app.example' } },
    breadcrumbs: [
      { data: { from: '/callback', to: '/setup' } },
      { data: { url: '/api/x', status_code: 200 } },
    ],
    contexts: { nextjs: { request_path: '/api/notion/callback' } },
  });
});

test('other text stays, and a circular report is handled', () => {
  const report: Record<string, unknown> = {
    message: 'Why? Because a = b # or c',
    count: 3,
    list: [null, true],
  };
  report['self'] = report;
  expect(scrubReport(report)).toEqual({ ...report, self: '[Circular]' });
});

test.each(['title: "', 'the title "'])(
  'a value that is longer than what is kept is left out: %s',
  (before) => {
    const { message } = describeError(new Error(`Refused ${before}${'our secret plan '.repeat(1000)}"`));
    expect(message).toMatch(/^Refused (title:|the title) "…"$/);
  },
);

test.each(['a@', '/', '?', 'ab1', "('", '[title="'])(
  'a long text of nothing but %s, as a service may quote it, costs no more than the words before it',
  (piece) => {
    const { message } = describeError(
      new Error(`The value is not valid, write to mira@example.com: ${piece.repeat(5000)}`),
    );
    expect(message).toBe('The value is not valid, write to [e-mail]: …');
  },
);

test('no secret reaches Sentry with an error, a breadcrumb or a span', async () => {
  withIsolationScope((scope) => {
    const url = `https://app.example/api/notion/callback?code=${CODE}`;
    const headers = { cookie: `a=${CODE}`, authorization: `Bearer ${CODE}`, host: 'app.example' };
    const normalizedRequest = {
      url,
      method: 'GET',
      headers,
      query_string: `code=${CODE}`,
      cookies: { a: CODE },
      data: CODE,
    };
    scope.setSDKProcessingMetadata({ normalizedRequest });
    addBreadcrumb({ category: 'fetch', data: { url } });
    startSpan(
      { name: 'GET /api/notion/callback', attributes: { 'url.full': url, 'url.query': `code=${CODE}` } },
      () => captureException(new Error(`could not finish ${url}`)),
    );
  });
  await flush(5000);
  expect(sentry.received()).toContain('could not finish https://app.example/api/notion/callback');
  expect(sentry.received()).toContain('url.full');
  expect(sentry.received()).not.toContain(CODE);
});

test('whatever fails, neither the report nor the log tells a secret, an e-mail address or content', async () => {
  hideSecrets(SECRETS.slice(-2));
  let logged = '';
  for (const [kind, fail] of FAILURES) {
    withIsolationScope((scope) => {
      scope.setUser({ id: 'mira', email: TOLD_BY_PEOPLE[0] ?? '' });
      scope.setTag('kind', kind);
      addBreadcrumb({ category: 'console', message: TOLD_BY_PEOPLE[1] ?? '' });
      addBreadcrumb({ category: 'ui.click', message: `button[aria-label="Delete ${TOLD_BY_PEOPLE[3]}"]` });
      addBreadcrumb({ category: 'http', data: { url: `https://discord.com/webhooks/1193/${SECRETS[5]}` } });
      startSpan({ name: `POST /interactions/110200/${SECRETS[5]}/callback` }, () => captureException(fail()));
    });
    logged += JSON.stringify(describeError(fail()));
  }
  await flush(5000);
  for (const [kind] of FAILURES) expect(sentry.received()).toContain(`"${kind}"`);
  for (const secret of [...SECRETS, ...TOLD_BY_PEOPLE]) {
    expect({ secret, isTold: sentry.received().includes(secret) }).toEqual({ secret, isTold: false });
    expect({ secret, isLogged: logged.includes(secret) }).toEqual({ secret, isLogged: false });
  }
  // The report still has what is needed to find the reason.
  for (const said of [
    'Unique constraint failed on the fields',
    'title should be a number',
    'Raw query failed with 22P02: invalid input syntax for type uuid',
    'error-report.test.ts',
  ]) {
    expect(sentry.received()).toContain(said);
    expect(logged).toContain(said);
  }
});
