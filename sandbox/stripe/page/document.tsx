/** @jsxImportSource hono/jsx */
import { html } from 'hono/html';
import type { Child } from 'hono/jsx';

/** A whole page in standards mode, with the strip that marks it as the sandbox. */
export function documentOf(title: string, body: Child) {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Stripe sandbox</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/page/stripe.css" />
        <script src="/page/times.js" defer></script>
      </head>
      <body>
        <aside class="strip" aria-label="About this page">Sandbox: a stand-in for Stripe</aside>
        ${body}
      </body>
    </html>`;
}
