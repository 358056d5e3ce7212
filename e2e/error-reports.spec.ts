import type { Page } from '@playwright/test';
import { startSentry } from '../lib/testing/sentry-stand-in';
import { expect, test } from './fixtures';
import { onOwnHost } from './own-host';

const CODE = 'code-of-an-oauth-flow';
const TOKEN = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJtaXJhIn0.c2lnbmF0dXJl';
const EMAIL = 'mira@lanternworks.example';
const TITLE = 'Boss fight: ember golem';
const WORD = 'Geheimnis';

const MUST_NOT_ARRIVE = [CODE, TOKEN, EMAIL, TITLE, 'ember golem', WORD];

/** Secrets and texts that a page might reveal. */
const PLANTED = { CODE, TOKEN, EMAIL, TITLE, WORD };
const PATH = `/callback?mode=app&code=${CODE}&state=${CODE}#access_token=${TOKEN}`;

type Planted = typeof PLANTED;

/** Every kind of failure that a page can have, each with the words that identify its report. */
const FAILURES: [string, string, (planted: Planted) => void][] = [
  [
    'an error that nobody catches',
    'thrown by a timer',
    ({ EMAIL, TITLE, TOKEN }) => {
      setTimeout(() => {
        throw new Error(`thrown by a timer: ${EMAIL} and "${TITLE}" with Bearer ${TOKEN}`);
      });
    },
  ],
  [
    'a rejected promise, and what it came from',
    'rejected at /callback',
    ({ CODE, EMAIL, WORD }) => {
      const cause = new Error(`title should be a number, instead was \`${WORD}\`.`);
      void Promise.reject(new Error(`rejected at /callback?code=${CODE} for ${EMAIL}`, { cause }));
    },
  ],
  [
    'a failed call',
    'Failed to fetch',
    ({ CODE, TOKEN, EMAIL, TITLE }) => {
      const body = JSON.stringify({ title: TITLE, email: EMAIL });
      const headers = { authorization: `Bearer ${TOKEN}` };
      void fetch(`/api/unreachable?code=${CODE}`, { method: 'POST', headers, body });
    },
  ],
  [
    'an answer that is not JSON',
    'This is not valid JSON',
    ({ TITLE }) => {
      void Promise.resolve(`{"title": "${TITLE}" oh}`).then((text) => JSON.parse(text));
    },
  ],
  [
    'a text that was thrown',
    'Something that is no error was thrown',
    ({ TITLE, EMAIL }) => {
      setTimeout(() => {
        throw `${TITLE} of ${EMAIL}`;
      });
    },
  ],
  [
    'an object as the reason of a rejection',
    'Something that is no error was thrown',
    ({ TITLE, EMAIL, TOKEN }) => void Promise.reject({ title: TITLE, email: EMAIL, token: TOKEN }),
  ],
];

test.use({
  expectedConsole: /planted|thrown|rejected|Failed to fetch|JSON|Boss fight|ERR_|render|no error|^Object$/,
});

test('whatever fails in a browser is reported, without secrets, addresses of people and content', async ({
  page,
  control,
}) => {
  const sentry = await startSentry();
  const host = { databaseUrl: control.product.databaseUrl, env: { SENTRY_DSN: sentry.dsn } };
  await onOwnHost({ ...host, mode: 'start' }, async ({ url }) => {
    const calls: string[] = [];
    page.on('request', (request) => calls.push(request.url()));
    await page.route('**/api/unreachable?*', (route) => route.abort());
    await page.addInitScript(failWhileRendering, PLANTED);
    await page.goto(url + PATH);
    await expect(page.getByRole('heading', { name: 'Authentication Incomplete' })).toBeVisible();
    await leaveTraces(page);
    const told = () => calls.filter((call) => call.startsWith(sentry.origin));
    const scripts = () => calls.filter((call) => call.endsWith('.js')).length;
    expect(told()).toEqual([]);
    const before = scripts();

    for (const [kind, words, fail] of FAILURES) {
      const reports = count(sentry.received(), words);
      await page.evaluate(fail, PLANTED);
      await expect.poll(() => count(sentry.received(), words), { message: kind }).toBeGreaterThan(reports);
    }
    expect(scripts()).toBeGreaterThan(before);
    await expect.poll(() => told().length).toBeGreaterThanOrEqual(FAILURES.length);

    await page.goto(`${url}/login?code=${CODE}#fail`);
    await expect(page.getByRole('heading', { name: 'This page failed' })).toBeVisible();
    await expect.poll(sentry.received).toContain('A page failed to render');
    expect(sentry.received()).toContain('planted in a component');

    // What is needed to find the cause has arrived.
    for (const said of ['/callback', '"category":"fetch"', '/api/unreachable', '"frames"']) {
      expect(sentry.received()).toContain(said);
    }
    for (const secret of MUST_NOT_ARRIVE) {
      expect({ secret, isTold: sentry.received().includes(secret) }).toEqual({ secret, isTold: false });
    }
  });
  sentry.stop();
});

test('without a DSN, nothing of Sentry is loaded and nobody else is called', async ({ page, control }) => {
  const calls: string[] = [];
  page.on('response', (response) => calls.push(response.url()));
  await page.goto('/login');
  await expect(page.getByRole('button', { name: 'Login with Discord' })).toBeVisible();
  const before = calls.length;
  const failed = page.waitForEvent('pageerror');
  await page.evaluate(() => {
    setTimeout(() => {
      throw new Error('thrown by a timer');
    });
  });
  await failed;
  await page.waitForLoadState('networkidle');
  expect(calls.slice(before).filter((call) => call.endsWith('.js'))).toEqual([]);
  expect(calls.filter((call) => !call.startsWith(control.product.appUrl))).toEqual([]);
});

const count = (text: string, words: string) => text.split(words).length - 1;

/** Leaves what Sentry would add to the next report: console lines, clicks and successful calls. */
async function leaveTraces(page: Page): Promise<void> {
  await page.evaluate(async ({ EMAIL, TITLE, CODE, TOKEN }) => {
    document.title = TITLE;
    const button = document.createElement('button');
    button.textContent = TITLE;
    button.setAttribute('aria-label', `Delete ${TITLE}`);
    button.title = EMAIL;
    document.body.append(button);
    setInterval(() => {
      button.click();
      // biome-ignore lint/suspicious/noConsole: Sentry would add console lines to the next report
      console.info(`${TITLE} of ${EMAIL}`);
      history.replaceState(null, '', `${location.pathname}?code=${CODE}`);
      void fetch(`/api/config?code=${CODE}`, { headers: { authorization: `Bearer ${TOKEN}` } });
    }, 200);
  }, PLANTED);
}

/** The login page calls `map` to show its benefits; here that fails like one of our own components. */
function failWhileRendering({ EMAIL, TITLE, WORD }: Planted): void {
  const { map } = Array.prototype;
  Object.defineProperty(Array.prototype, 'map', {
    value(this: { text?: string }[], ...given: Parameters<typeof map>) {
      if (location.hash === '#fail' && this[0]?.text === 'Create Notion tasks from Discord') {
        throw new Error(`planted in a component: "${TITLE}" of ${EMAIL}, instead was ${WORD}`);
      }
      return map.apply(this, given);
    },
  });
}
