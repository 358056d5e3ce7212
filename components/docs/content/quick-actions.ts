import type { DocPage } from './doc-page';

export const quickActions: DocPage = {
  path: '/docs/features/quick-actions',
  title: 'Quick actions',
  description: 'Work on a task from its card, without leaving Discord.',
  sections: [
    {
      id: 'buttons',
      heading: 'The buttons',
      blocks: [
        {
          kind: 'table',
          columns: ['Button', 'What it does'],
          rows: [
            [
              'Assign to me',
              'Adds you to the assignees of the task. Needs a [linked account](/docs/features/account-linking).',
            ],
            ['Change status', 'Offers the statuses of the database and sets the one you choose.'],
            ['Open in Notion', 'Opens the page.'],
          ],
        },
        {
          kind: 'text',
          text: 'After an action the card keeps its text and adds the new state, so that everyone in the channel sees it. No second card is posted for it in that channel; rules for other channels announce it there.',
        },
      ],
    },
    {
      id: 'which',
      heading: 'Which cards have them',
      blocks: [
        {
          kind: 'text',
          text: 'Cards of task databases: those with a Status property, marked TASK DB. Databases without one are marked PAGE DB; their cards say what happened and link to the page.',
        },
      ],
    },
    {
      id: 'who',
      heading: 'Who may use them',
      blocks: [
        {
          kind: 'text',
          text: 'Every member of the server who can see the channel. An answer that concerns only you is shown only to you.',
        },
      ],
    },
  ],
};
