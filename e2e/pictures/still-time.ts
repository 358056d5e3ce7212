import type { Page, Route } from '@playwright/test';

/** The time in every picture: the last minute of a quarter of an hour. */
const NOW = Date.parse('2026-11-24T10:29:00.000Z');
const QUARTER_MS = 15 * 60_000;

const ISO = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const DISCORD = /<t:(\d+)/g;
// Whether and how emoji are drawn depends on the machine's fonts.
export const EMOJI = /\p{Extended_Pictographic}\uFE0F? ?/gu;

// The messages sent on each day of the plan's period.
const SENT = [6, 21, 15, 4, 18, 12, 9];
const PERIOD_START = '2026-11-18T00:00:00.000Z';
const DAY_MS = 86_400_000;

/**
 * Stops a page's clock, and shifts all times in the application's answers by the same amount. Everything less than a
 * quarter of an hour old then always has the same age, so a picture is the same whenever it is made.
 */
export async function stopTime(page: Page): Promise<void> {
  await page.clock.setFixedTime(NOW);
  await page.route('**/api/**', async (route) => {
    const isCall = ['fetch', 'xhr'].includes(route.request().resourceType());
    if (!isCall) return route.fallback();
    // The page may have cancelled the call.
    await answerStill(route).catch(() => route.abort().catch(() => {}));
  });
}

async function answerStill(route: Route): Promise<void> {
  const response = await route.fetch({ maxRetries: 2 });
  if (!response.headers()['content-type']?.includes('json')) return route.fulfill({ response });
  const text = stillText(await response.text());
  const { pathname } = new URL(route.request().url());
  await route.fulfill({ response, body: FIXED[pathname]?.(text) ?? text });
}

function stillText(text: string): string {
  const realNow = Date.now();
  const move = (at: number) => Math.floor((NOW - (realNow - at)) / QUARTER_MS) * QUARTER_MS;
  return text
    .replaceAll(ISO, (at) => new Date(move(Date.parse(at))).toISOString())
    .replaceAll(DISCORD, (_whole, seconds) => `<t:${move(Number(seconds) * 1000) / 1000}`)
    .replaceAll(EMOJI, '')
    .replaceAll('"icon":""', '"icon":null');
}

/** Replaces values that differ from run to run, by the path of the answer. */
const FIXED: Record<string, (text: string) => string> = {
  '/api/app/discord/server': (text) =>
    text.replace(/"id":"[0-9a-f-]{36}"/, '"id":"01a1fe49-a936-77bd-abb5-b42bca35cceb"'),
  '/api/app/rules/try': (text) => {
    const tried = JSON.parse(text);
    tried.perDay.forEach((day: { date: string }, index: number) => {
      const daysAgo = tried.perDay.length - 1 - index;
      day.date = new Date(NOW - daysAgo * DAY_MS).toISOString().slice(0, 10);
    });
    return JSON.stringify(tried);
  },
  '/api/app/me': (text) => {
    const me = JSON.parse(text);
    Object.assign(me.subscription, {
      notificationsUsed: SENT.reduce((sum, sent) => sum + sent, 0),
      notificationsByQuarter: SENT.map((sent, day) => ({
        at: new Date(Date.parse(PERIOD_START) + day * DAY_MS).toISOString(),
        sent,
      })),
      periodStart: PERIOD_START,
      periodEnd: '2026-12-18T00:00:00.000Z',
    });
    return JSON.stringify(me);
  },
};
