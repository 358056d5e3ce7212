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
            ['Assign', 'Asks for a member of the server who is linked, and adds them to the assignees.'],
            [
              'Mark as done',
              'Sets the first status for finished work. For an hour, the answer has a button to undo it.',
            ],
            ['Change due date', 'Asks for a date like 2026-11-30. An empty one removes the date.'],
            [
              'Set and the name of a property',
              'Asks for a new value, which replaces the old one. Texts, numbers, dates, options, people and checkboxes can be set.',
            ],
            ['Comment', 'Asks for a text and writes it below the page in Notion, under your name.'],
            ['Open in Notion', 'Opens the page.'],
          ],
        },
        {
          kind: 'text',
          text: 'Cards of tasks in channels have Assign to me and Change status. Choose others, at most four, in the section More of the rule, under Buttons.',
        },
        {
          kind: 'text',
          text: 'After an action the card keeps its text and adds the new state, so that everyone in the channel sees it; only a comment leaves it as it is. No second card is posted for it in that channel; rules for other channels announce it there.',
        },
      ],
    },
    {
      id: 'which',
      heading: 'Which cards have them',
      blocks: [
        {
          kind: 'text',
          text: 'Cards of task databases: those with a Status property, marked TASK DB. Databases without one are marked PAGE DB; their cards have buttons once you choose some. A button is left out where the database lacks the property for it. Direct messages have the buttons that you choose for their rule; cards of one line in channels have none.',
        },
      ],
    },
    {
      id: 'who',
      heading: 'Who may use them',
      blocks: [
        {
          kind: 'text',
          text: 'Every member of the server who can see the channel. Assign to me needs a linked account, and so do the [buttons of reminders](/docs/features/commands#reminders) and all buttons in direct messages. An answer that concerns only you is shown only to you.',
        },
      ],
    },
  ],
};
