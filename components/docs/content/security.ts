import type { DocPage } from './doc-page';

export const security: DocPage = {
  path: '/docs/security',
  title: 'Security',
  description: 'How what is yours is protected, and how to report a problem.',
  sections: [
    {
      id: 'report',
      heading: 'Report a problem',
      blocks: [
        {
          kind: 'text',
          text: 'Whoever finds a way to see or change what is not theirs, or to stop the service, is asked to write to the contact below before telling anybody else. Say what you did, what happened, and at what time; a request id or a reference that an error showed helps. Please send no data of others: the way is enough.',
        },
        {
          kind: 'list',
          items: [
            'You get an answer, as a rule within three working days, and are told when the problem is solved.',
            'Use accounts, servers and workspaces of your own. Stop as soon as you see data of others, and keep none of it.',
            'Do not overload the service, and do not deceive people who use or operate it.',
            'Nobody who keeps to this is pursued for it.',
          ],
        },
        {
          kind: 'text',
          text: 'A weakness of Discord, Notion, Stripe or the sign-in service is best reported there.',
        },
      ],
    },
    {
      id: 'lost',
      heading: 'When something of yours is lost',
      blocks: [
        {
          kind: 'list',
          items: [
            'Your Discord account: whoever has it has your rules. Secure it at Discord, and write to the contact below to have the sessions of your account in Pagewire ended.',
            'The access to Notion: remove Pagewire under Settings, Connections in Notion. The token is then worth nothing, and Pagewire says that the workspace has to be connected again.',
            'The bot: remove it from the server in Discord. It cannot post from that moment on.',
          ],
        },
      ],
    },
    {
      id: 'protection',
      heading: 'How it is protected',
      blocks: [
        {
          kind: 'list',
          items: [
            'You sign in with Discord. Pagewire knows no password. The browser gets only tokens that live for a short time, and no cookie alone allows a call.',
            'Tokens, the values of pages, cards that were not sent and what somebody types into a form are encrypted, each for its own row, with keys that are kept apart from the database.',
            'Every call of Discord, Notion and Stripe is taken only with the right signature.',
            'Every row belongs to one account, and every call looks only for rows of the account that makes it.',
            'A server or a workspace is taken only from the service itself, after the person allowed it there, and never from an address that somebody could send you.',
            'What comes from Notion is posted as text: it cannot mention anybody or hide a link behind another.',
            'Logs and reports of errors hold no tokens, e-mail addresses or content.',
          ],
        },
        {
          kind: 'text',
          text: 'What is kept, and for how long, is in [Privacy](/docs/privacy#kept). Under Settings you can download everything that is stored about your account, and delete it.',
        },
        { kind: 'text', text: 'This page was last changed on November 22, 2026.' },
      ],
    },
  ],
};
