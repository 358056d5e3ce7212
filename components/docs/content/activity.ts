import { type DocPage, screen } from './doc-page';

export const activity: DocPage = {
  path: '/docs/features/activity',
  title: 'Activity',
  description: 'What happened in your databases, and what each of your rules did about it.',
  sections: [
    {
      id: 'list',
      heading: 'The list',
      blocks: [
        {
          kind: 'text',
          text: 'Activity lists what every rule did about every event, newest first: when it happened in Notion, which page, what changed, which channel, and the outcome. You reach it from Home, from Rules and through [Search](/docs/features/keyboard#search).',
        },
        screen('activity', 'What happened, newest first, with its outcome'),
        {
          kind: 'text',
          text: 'A row opens its details: all changes, the reason, the card in Discord and the page in Notion. Resend sends a failed card again. The outcomes are those of the [recent deliveries](/docs/features/notification-rules#deliveries) of a rule.',
        },
        {
          kind: 'text',
          text: 'New entries wait behind a counter at the top, such as “3 new”, until you click it, so that nothing moves while you read. Rows that are already shown are updated in place.',
        },
      ],
    },
    {
      id: 'filters',
      heading: 'Filters',
      blocks: [
        {
          kind: 'text',
          text: 'You can filter the list by rule, channel, outcome and part of the title. The address of the page contains the filters, so a bookmark keeps them.',
        },
        {
          kind: 'text',
          text: 'Titles are stored encrypted. A search therefore decrypts them one by one, newest first, and stops after a moment. Below the list you see how far back it has looked; Look further continues from there.',
        },
      ],
    },
    {
      id: 'kept',
      heading: 'How far back it goes',
      blocks: [
        {
          kind: 'text',
          text: 'Titles, changes and events that were not posted are kept for 30 days. Cards are listed for 13 months, the older ones without their titles. When a rule is deleted, its entries leave the list.',
        },
      ],
    },
  ],
};
