import { type DocPage, screen } from './doc-page';

export const introduction: DocPage = {
  path: '/docs',
  title: 'Documentation',
  description:
    'Pagewire links a Discord server to a Notion workspace: changes become cards, cards become actions.',
  sections: [
    {
      id: 'what',
      heading: 'What it does',
      blocks: [
        {
          kind: 'list',
          items: [
            'Posts a card into a channel when a page is created or changed: [Notification rules](/docs/features/notification-rules).',
            'Lets people assign themselves and change a status on the card: [Quick actions](/docs/features/quick-actions).',
            'Creates and finds tasks by command: [Commands](/docs/features/commands).',
            'Knows who is who on both sides: [Account linking](/docs/features/account-linking).',
          ],
        },
        screen('home', 'The dashboard'),
      ],
    },
    {
      id: 'start',
      heading: 'Start here',
      blocks: [
        {
          kind: 'steps',
          items: [
            '[Connect a server and a workspace](/docs/getting-started). It takes about 5 minutes.',
            '[Create your first rule](/docs/getting-started/first-rule).',
            '[Link the people of your team](/docs/features/account-linking).',
          ],
        },
      ],
    },
    {
      id: 'stuck',
      heading: 'When something does not work',
      blocks: [{ kind: 'text', text: 'Most problems are in [Troubleshooting](/docs/troubleshooting).' }],
    },
  ],
};
