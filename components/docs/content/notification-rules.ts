import type { DocPage } from './doc-page';

export const notificationRules: DocPage = {
  path: '/docs/features/notification-rules',
  title: 'Notification rules',
  description: 'What a rule watches, when it posts, and what its card says.',
  sections: [
    {
      id: 'events',
      heading: 'Events',
      blocks: [
        {
          kind: 'table',
          columns: ['Event', 'Posts when'],
          rows: [
            ['Page Created', 'a page is added to the database'],
            ['Page Updated', 'at least one watched property has a new value'],
          ],
        },
        {
          kind: 'text',
          text: 'A new page is posted when it has settled: it has a title and nobody has touched it for 20 seconds, or two minutes have passed. A card without a title gets it when somebody types one within a day. A rule that posts at once does not wait; its card is completed in place when the page has settled. A page is posted once, and not at all when it goes into the trash before.',
        },
        {
          kind: 'text',
          text: 'A change that is undone before Notion reports it counts as no change. Properties that hold files can be neither watched nor shown.',
        },
        {
          kind: 'text',
          text: 'New names of databases, properties and options in Notion are followed by themselves. When a watched property is deleted, the rule goes on with the others.',
        },
        {
          kind: 'text',
          text: 'What Notion forgets to report is found within about a quarter of an hour: see [A card comes late](/docs/troubleshooting#late-card).',
        },
      ],
    },
    {
      id: 'status-filter',
      heading: 'Status filter',
      blocks: [
        {
          kind: 'text',
          text: 'When the Status property is among the watched ones, a filter appears. The rule then posts only when the status of the page is one of those you choose. An empty filter means all statuses.',
        },
      ],
    },
    {
      id: 'card',
      heading: 'The card',
      blocks: [
        {
          kind: 'list',
          items: [
            'The title, which opens the page in Notion.',
            'What changed, as old → new.',
            'The fields you chose to display.',
            'Who did it. Linked people are mentioned.',
            'For task databases, buttons: see [Quick actions](/docs/features/quick-actions).',
          ],
        },
        {
          kind: 'picture',
          src: '/docs/rules.png',
          alt: 'The list of rules, each drawn as a wire',
          width: 1200,
          height: 750,
        },
      ],
    },
    {
      id: 'health',
      heading: 'Health',
      blocks: [
        {
          kind: 'table',
          columns: ['Word', 'Meaning'],
          rows: [
            ['Delivered', 'Discord confirmed the message.'],
            [
              'Waiting',
              'It is on its way, or will be tried again after a passing problem, for up to 24 hours.',
            ],
            ['Held', 'The trial has ended or the month’s notifications are used up.'],
            ['Failed', 'Discord refused it for good; the reason stands beside the word.'],
          ],
        },
        {
          kind: 'text',
          text: 'The switch turns a rule off and on. A rule is never turned off by Pagewire itself.',
        },
      ],
    },
  ],
};
