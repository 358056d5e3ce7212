import { PEOPLE, type Person } from '../people';

const STYLE = `
  :root { color-scheme: light dark; --bg: #f7f6f4; --card: #fff; --ink: #1f1d1a; --soft: #67625b; --line: #e3dfd9; --accent: #4f5bd5; }
  @media (prefers-color-scheme: dark) {
    :root { --bg: #171614; --card: #201e1c; --ink: #f0eeea; --soft: #aaa49b; --line: #36332f; --accent: #8f98ff; }
  }
  * { box-sizing: border-box; }
  body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; background: var(--bg); color: var(--ink);
    font: 15px/1.5 system-ui, sans-serif; }
  .strip { padding: 8px 16px; text-align: center; font-size: 13px; color: var(--soft); border-bottom: 1px solid var(--line); }
  main { width: 100%; max-width: 420px; margin: auto; padding: 32px 20px; }
  h1 { margin: 0 0 4px; font-size: 22px; line-height: 1.3; letter-spacing: -0.01em; }
  p { margin: 0 0 24px; color: var(--soft); }
  form { display: grid; gap: 10px; }
  button, .link { font: inherit; color: inherit; cursor: pointer; border-radius: 12px; border: 1px solid var(--line); background: var(--card); }
  button:hover, .link:hover { border-color: var(--accent); }
  button:focus-visible, .link:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
  .person { display: grid; grid-template-columns: 44px 1fr auto; gap: 14px; align-items: center; padding: 12px 14px; text-align: left; }
  .person img { width: 44px; height: 44px; border-radius: 50%; }
  .person b { display: block; font-weight: 600; }
  .person small, .role { color: var(--soft); font-size: 13px; }
  .cancel { margin-top: 6px; padding: 10px; background: none; border-color: transparent; color: var(--soft); }
  .link { display: grid; gap: 2px; padding: 14px 16px; margin-bottom: 10px; text-decoration: none; }
  .link small { color: var(--soft); }
`;

/** The chooser in place of Discord's login: one card for each person. */
export function signInPage(action: string): string {
  return page(
    'Sign in with Discord',
    `<h1>Sign in with Discord</h1>
     <p>Choose who you are. Each person has an account at every service of the sandbox.</p>
     <form method="post" action="${escapeHtml(action)}">
       ${PEOPLE.map(personCard).join('')}
       <button class="cancel" name="cancel" value="yes">Cancel</button>
     </form>`,
  );
}

/** Ends the session without asking: the person has already decided by pressing Logout in the application. */
export function logoutPage(form: string): string {
  return page(
    'Signing out',
    `<h1>Signing out</h1>
     ${form.replace('</form>', '<input type="hidden" name="logout" value="yes"></form>')}
     <noscript><button form="op.logoutForm">Continue</button></noscript>
     <script>document.getElementById('op.logoutForm').submit()</script>`,
  );
}

export function refusalPage(title: string, explanation: string): string {
  return page(title, `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(explanation)}</p>`);
}

/** The start page, with links to the application and the services it works with. */
export function indexPage(links: { href: string; title: string; about: string }[]): string {
  const rows = links.map(
    ({ href, title, about }) =>
      `<a class="link" href="${escapeHtml(href)}"><b>${escapeHtml(title)}</b><small>${escapeHtml(about)}</small></a>`,
  );
  return page(
    'Sandbox',
    `<h1>Sandbox</h1><p>Everything here runs on this machine only.</p><nav>${rows.join('')}</nav>`,
  );
}

function personCard(person: Person): string {
  return `<button class="person" name="person" value="${person.key}">
    <img src="/avatars/${person.key}.svg" alt="">
    <span><b>${escapeHtml(person.name)}</b><small>@${escapeHtml(person.discordUsername)}</small></span>
    <span class="role">${person.role}</span>
  </button>`;
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${escapeHtml(title)}</title>
  <link rel="icon" href="data:,">
  <style>${STYLE}</style>
</head>
<body>
  <div class="strip">Sandbox: a stand-in for the identity provider</div>
  <main>${body}</main>
</body>
</html>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
