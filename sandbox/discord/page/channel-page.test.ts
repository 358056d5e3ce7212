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

test('whoever is named at the door stays that person on the pages behind it', async () => {
  const door = await sandbox.app.request('/?person=jonas');
  expect(door.status).toBe(302);
  const cookie = door.headers.get('set-cookie')?.split(';')[0] ?? '';
  const page = await sandbox.app.request(door.headers.get('location') ?? '', { headers: { cookie } });
  expect(await page.text()).toContain('value="jonas" aria-pressed="true"');
});

test('a page stays the person it was opened as when another page of the browser becomes somebody else', async () => {
  const path = `/channels/${LANTERN_WORKS}/${CHANNELS.tasks}`;
  const headers = { cookie: 'sandbox_discord_person=mira', 'sandbox-person': 'jonas' };
  const page = await sandbox.app.request(path, { headers });
  expect(page.headers.has('set-cookie')).toBe(false);
  expect(await page.text()).toContain('value="jonas" aria-pressed="true"');
});
