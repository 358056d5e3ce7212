import type { DocPage } from './doc-page';
import { KEPT_DATA } from './kept-data';

export const privacy: DocPage = {
  path: '/docs/privacy',
  title: 'Privacy',
  description: 'What is read, what it is used for, what is kept, and how to have it removed.',
  sections: [
    {
      id: 'read',
      heading: 'What is read',
      blocks: [
        {
          kind: 'list',
          items: [
            'In Notion: the databases and pages that you shared, and what is above and below the pages that rules watch; comments, for rules about comments and to find one that was written from Discord; the names and e-mail addresses of members.',
            'In Discord: the list of channels and roles, to know where the bot may post; a message that you hand over with Create Notion task; and, before a card is sent again and after a database was restored, the newest messages of its channel, to find the bot’s own. Nothing of the others is kept.',
          ],
        },
      ],
    },
    {
      id: 'use',
      heading: 'What it is used for',
      blocks: [
        {
          kind: 'text',
          text: 'To post the cards that your rules ask for, to carry out commands and quick actions, to know who is who in Discord and Notion, and to bill a subscription. Nothing is sold, shown to advertisers or used to train models, and nobody is profiled.',
        },
      ],
    },
    {
      id: 'receivers',
      heading: 'Who receives it',
      blocks: [
        {
          kind: 'table',
          columns: ['Who', 'What'],
          rows: [
            [
              'Discord',
              'The cards in your channels, direct messages to people of your server, and answers to their commands',
            ],
            ['Notion', 'What somebody creates or changes there from Discord'],
            [
              'Stripe',
              'The account holder’s e-mail address and name when a checkout is opened. Cards are entered on Stripe’s own page, and their numbers never reach Pagewire',
            ],
            ['The sign-in service', 'That you sign in, with Discord'],
            [
              'A service for error reports, if the operator uses one',
              'What went wrong and at which address, but not who you are, and no cookies, tokens or anything that was sent',
            ],
          ],
        },
        {
          kind: 'text',
          text: 'Members of your server see what your rules post there: a rule is a decision to show these properties of a database in that channel.',
        },
      ],
    },
    {
      id: 'kept',
      heading: 'What is kept',
      blocks: [
        {
          kind: 'table',
          columns: ['What', 'How long', 'Encrypted'],
          rows: KEPT_DATA.map(({ what, howLong, encrypted }) => [what, howLong, encrypted ?? 'No']),
        },
        {
          kind: 'text',
          text: 'Expired data is deleted every night. Deleting an account deletes everything in this table at once, except for tests, requests for servers and trials under keyed hashes, the key of these hashes, and the pending work that ends its access at Discord and Notion and its subscription at Stripe. Encrypted means that a copy of the database cannot be read without a key that is kept elsewhere. A search in [Activity](/docs/features/activity#filters) decrypts titles in memory; nothing of them is stored for searching. The text of pages, their other properties and the comments that no rule posts are not kept.',
        },
      ],
    },
    {
      id: 'browser',
      heading: 'In your browser',
      blocks: [
        {
          kind: 'list',
          items: [
            'Cookies keep you signed in, and prove for an hour that a connection was started in this browser. There are no others.',
            'The browser remembers the theme, and whether single keys are switched off.',
            'Nothing measures or tracks visitors.',
          ],
        },
      ],
    },
    {
      id: 'permissions',
      heading: 'What the bot may do',
      blocks: [
        {
          kind: 'text',
          text: 'It asks for View Channel, Send Messages, Embed Links, Read Message History, Create Public Threads and Send Messages in Threads. It cannot manage the server or its members.',
        },
      ],
    },
    {
      id: 'remove',
      heading: 'Removing everything',
      blocks: [
        {
          kind: 'text',
          text: 'Disconnecting a server or a workspace deletes its rules and the content of their deliveries, and gives up the access; with a workspace, the links of people are deleted too. Delete Account under Settings cancels the subscription, disconnects both, and deletes everything that belongs to the account. Neither can be undone. All that remains of a deleted account is when its trial ended, how many notifications it had used, and when it was deleted, under keyed hashes of the ids of the Discord user, the server and the workspace, because each has one trial; and for up to 31 days, under such hashes too, how many tests were sent that day and whom the person had asked for a server.',
        },
      ],
    },
    {
      id: 'rights',
      heading: 'Your rights',
      blocks: [
        {
          kind: 'text',
          text: 'Whoever operates this Pagewire is responsible for the data. Account holders, members of a server and people of a workspace may ask them which data is kept about them, and have it corrected, handed over or deleted. Under Settings, account holders can download everything that is stored about their account as one file: the content of every table, with encrypted values made readable. It leaves out tokens, keyed hashes, forms that others are still filling in, connections in progress, pending work, and the limits and counts of calls. If you are linked in somebody else’s account, its holder can also remove the link under Accounts.',
        },
        { kind: 'text', text: 'This page was last changed on November 29, 2026.' },
      ],
    },
  ],
};
