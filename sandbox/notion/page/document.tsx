/** @jsxImportSource hono/jsx */
import { html } from 'hono/html';
import type { Child } from 'hono/jsx';

/** A whole HTML document in standards mode with the page's style and script. */
export function documentOf(title: string, body: Child) {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Notion sandbox</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/assets/notion.css" />
        <script src="/assets/notion-page.js" defer></script>
      </head>
      ${body}
    </html>`;
}
