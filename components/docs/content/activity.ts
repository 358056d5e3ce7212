import type { DocPage } from './doc-page';

export const activity: DocPage = {
  path: '/docs/features/activity',
  title: 'Activity',
  description: 'What happened in your databases, and what all your rules made of it.',
  sections: [
    {
      id: 'list',
      heading: 'The list',
      blocks: [
        {
          kind: 'text',
          text: 'Activity lists what every rule made of every event, newest first: when it happened in Notion, which page, what changed, which channel, and what became of it. It is reached from Home, from Rules and by [Search](/docs/features/keyboard#search).',
        },
        {
          kind: 'text',
          text: 'A row opens its details: all changes, the reason, the card in Discord and the page in Notion. A card that failed is sent again with Resend. The words are those of the [recent deliveries](/docs/features/notification-rules#deliveries) of a rule.',
        },
        {
          kind: 'text',
          text: 'New entries wait behind a counter at the top, such as “3 new”, until you click it, so that nothing moves while you read. Rows that are shown change in place.',
        },
      ],
    },
    {
      id: 'filters',
      heading: 'Filters',
      blocks: [
        {
          kind: 'text',
          text: 'The list is narrowed by rule, channel, outcome and a part of the title. The address of the page contains the filters, so a bookmark keeps them.',
        },
        {
          kind: 'text',
          text: 'Titles are stored encrypted. A search therefore opens them one after the other, the newest first, and stops after a moment. Below the list it says how far back it has looked; Look further continues there.',
        },
      ],
    },
    {
      id: 'kept',
      heading: 'How far back it goes',
      blocks: [
        {
          kind: 'text',
          text: 'Titles, changes and what was not posted are kept for 30 days. Cards are listed for 13 months: older ones without their title. When a rule is deleted, its entries leave the list.',
        },
      ],
    },
  ],
};
