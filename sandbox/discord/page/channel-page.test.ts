import { beforeEach, expect, test } from 'vitest';
import { CHANNELS, JONAS, LANTERN_WORKS, testSandbox } from '../test-sandbox';

let sandbox: ReturnType<typeof testSandbox>;

beforeEach(async () => {
  sandbox = testSandbox();
  await sandbox.install();
});

const look = async (channel: string, person = 'mira') => {
  const response = await sandbox.app.request(`/channels/${LANTERN_WORKS}/${channel}?person=${person}`);
  return { status: response.status, html: await response.text() };
};

test.each([
  ['**bold** and *italic*', '<strong>bold</strong> and <em>italic</em>'],
  ['\\*\\*plain\\*\\*', '**plain**'],
  ['`**code**`', '<code>**code**</code>'],
  ['[here](https://a.example/b_c_d)', 'href="https://a.example/b_c_d"'],
  ['[a\\_b](https://a.example/c)', 'rel="noreferrer">a\\_b</a>'],
  ['[https://other.example](https://a.example/c)', '[<a href="https://other.example"'],
  [`<@${JONAS}>`, '@Jonas Brandt'],
  [`<#${CHANNELS.general}>`, '#general'],
  ['<t:1795300000:R>', 'data-style="R"'],
  ['<script>alert(1)</script>', '&lt;script&gt;'],
  ['[x](javascript:alert(1))', '[x](javascript:alert(1))'],
])('%s is drawn as %s', async (content, drawn) => {
  await sandbox.send(CHANNELS.tasks, { content });
  expect((await look(CHANNELS.tasks)).html).toContain(drawn);
});

test('a card shows its title as a link, its fields and its footer', async () => {
  const embed = {
    title: 'Fix *it*',
    url: 'https://www.notion.so/a',
    color: 0x2f9e6b,
    fields: [{ name: 'Assignee', value: 'Jonas', inline: true }],
    footer: { text: 'Rule: Done' },
  };
  await sandbox.send(CHANNELS.tasks, { embeds: [embed] });
  const { html } = await look(CHANNELS.tasks);
  expect(html).toMatch(/href="https:\/\/www\.notion\.so\/a"[^>]*>Fix <em>it<\/em>/);
  expect(html).toContain('border-left-color:#2f9e6b');
  expect(html).toContain('Assignee');
  expect(html).toContain('Rule: Done');
});

test('a person sees only the servers and channels that are theirs', async () => {
  expect((await look(CHANNELS.leads)).status).toBe(200);
  expect((await look(CHANNELS.tasks, 'vera')).status).toBe(404);
  expect((await look('1101000000000000999')).status).toBe(404);
});

const MIRAS = { cookie: 'sandbox_discord_person=mira' };
const follow = async (path: string) => {
  const response = await sandbox.app.request(path, { headers: MIRAS });
  return { cookie: response.headers.get('set-cookie'), location: response.headers.get('location') ?? '' };
};

test('a URL without a person takes the one in the cookie, and names them from then on', async () => {
  const path = `/channels/${LANTERN_WORKS}/${CHANNELS.tasks}`;
  expect((await follow(path)).location).toBe(`${path}?person=mira`);
  expect((await follow(`${path}/77`)).location).toBe(`${path}?person=mira#message-77`);
  expect((await follow('/')).location).toMatch(/\?person=mira$/);
});

test('two tabs of one browser stay two people: every link of a page names its own', async () => {
  const path = `/channels/${LANTERN_WORKS}/${CHANNELS.tasks}`;
  const permalink = `${sandbox.context.urls.discord}${path}/77`;
  await sandbox.send(CHANNELS.tasks, {
    content: `<#${CHANNELS.general}> [there](${permalink}) ${permalink}`,
  });
  const door = await follow('/?person=jonas');
  expect(door).toEqual({ cookie: null, location: expect.stringMatching(/\?person=jonas$/) });
  const page = await sandbox.app.request(`${path}?person=jonas`, { headers: MIRAS });
  expect(page.headers.has('set-cookie')).toBe(false);
  const html = await page.text();
  expect(html).toContain('value="jonas" aria-pressed="true"');
  const links = [...html.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href]) => href);
  expect(links.filter((href) => href?.startsWith(permalink))).toHaveLength(2);
  expect(html).toContain(
    `class="mention" href="/channels/${LANTERN_WORKS}/${CHANNELS.general}?person=jonas"`,
  );
  expect(links.filter((href) => !href?.endsWith('?person=jonas'))).toEqual([]);
  expect((await follow(`${path}/77?person=jonas`)).location).toBe(`${path}?person=jonas#message-77`);
});

test('a tab keeps its person on an error page, and changes it when another one is chosen', async () => {
  const refused = await sandbox.app.request(`/channels/${LANTERN_WORKS}/1?person=jonas`, { headers: MIRAS });
  expect(refused.status).toBe(404);
  expect(await refused.text()).toContain('href="/?person=jonas"');
  const path = `/channels/${LANTERN_WORKS}/${CHANNELS.tasks}`;
  const switched = await sandbox.app.request('/_page/person', {
    method: 'POST',
    body: new URLSearchParams({ person: 'jonas' }),
    headers: { ...MIRAS, referer: `${sandbox.context.urls.discord}${path}?person=mira` },
  });
  expect(switched.headers.get('location')).toBe(`${path}?person=jonas`);
});

test('an action on a page is done by the person in its URL', async () => {
  const response = await sandbox.app.request('/_page/say?person=jonas', {
    method: 'POST',
    body: JSON.stringify({ channelId: CHANNELS.general, content: 'It is me' }),
    headers: { ...MIRAS, 'content-type': 'application/json' },
  });
  expect(await response.json()).toEqual({});
  expect((await look(CHANNELS.general)).html).toMatch(/aria-label="Jonas Brandt, [\d:]+"[\s\S]*It is me/);
});
