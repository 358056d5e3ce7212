/** @jsxImportSource hono/jsx */
import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';

interface Props {
  title: string;
  children: Child;
  scripts?: boolean;
  /** How far the sandbox's clock is ahead of the real one, in milliseconds. */
  clockOffsetMs?: number;
}

/** The frame of every page, with the strip that marks it as the sandbox. */
export function Document({ title, children, scripts = false, clockOffsetMs = 0 }: Props) {
  return (
    <>
      {raw('<!doctype html>')}
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>{title}</title>
          <link rel="icon" href="data:," />
          <link rel="stylesheet" href="/page/discord.css" />
          <link rel="stylesheet" href="/page/messages.css" />
          {scripts && <script type="module" src="/page/main.js" />}
        </head>
        {/* Nothing can be pressed before the scripts listen. */}
        <body data-clock-offset={String(clockOffsetMs)} inert={scripts}>
          <aside class="strip" aria-label="About this page">
            Sandbox: a stand-in for Discord
          </aside>
          {children}
        </body>
      </html>
    </>
  );
}
