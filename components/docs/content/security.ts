import type { DocPage } from './doc-page';

export const security: DocPage = {
  path: '/docs/security',
  title: 'Security',
  description: 'How your data is protected, and how to report a problem.',
  sections: [
    {
      id: 'report',
      heading: 'Report a problem',
      blocks: [
        {
          kind: 'text',
          text: 'If you find a way to see or change what is not yours, or to stop the service, write to the contact below before you tell anybody else. Say what you did, what happened, and at what time; a request id or a reference that an error showed helps. Describe how it is done, and send no data of other people.',
        },
        {
          kind: 'list',
          items: [
            'You get an answer, usually within three working days, and are told when the problem is solved.',
            'Use accounts, servers and workspaces of your own. Stop as soon as you see other people’s data, and keep none of it.',
            'Do not overload the service, and do not deceive people who use or operate it.',
            'Nobody who keeps to this is pursued.',
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
      heading: 'When somebody else gets access',
      blocks: [
        {
          kind: 'list',
          items: [
            'Your Discord account: whoever has it has your rules. Secure it at Discord, and write to the contact below to have the sessions of your account in Pagewire ended.',
            'Your Notion workspace: remove Pagewire under Settings, Connections in Notion. The token is then worthless, and Pagewire says that the workspace has to be connected again.',
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
            'You sign in with Discord. Pagewire never sees a password. The browser gets only short-lived tokens, and no cookie alone authorizes a call.',
            'Tokens, the values of pages, cards that were not sent and what somebody types into a form are encrypted, each for its own row, with keys that are kept apart from the database.',
            'Calls from Discord, Notion and Stripe are accepted only with the right signature.',
            'Every row belongs to one account, and every call looks only for rows of the account that makes it.',
            'Which server or workspace you connect is learnt only from Discord or Notion, after you allowed it there, and never from a link that somebody could send you.',
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
