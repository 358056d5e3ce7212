import type { DocPage } from './doc-page';
import { KEPT_DATA } from './kept-data';

export const securityAndPrivacy: DocPage = {
  path: '/docs/security-and-privacy',
  title: 'Security and privacy',
  description: 'What is read, what is kept, and how to have it removed.',
  sections: [
    {
      id: 'read',
      heading: 'What is read',
      blocks: [
        {
          kind: 'list',
          items: [
            'In Notion: the databases you shared, and nothing else.',
            'In Discord: the list of channels and roles, to know where the bot may post. Messages are not read, except one you hand over with Create Notion task.',
          ],
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
          text: 'Expired data is deleted every night. Deleting an account deletes everything in this table at once, except for the last two rows and the pending work that ends its access at Discord and Notion and its subscription at Stripe. Encrypted means that a copy of the database cannot be read without a key that is kept elsewhere. A search in [Activity](/docs/features/activity#filters) opens titles in memory; nothing of them is stored to be searched. The text of pages, other properties and comments are not kept.',
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
          text: 'Disconnecting a server or a workspace deletes its rules and the content of their deliveries, and gives up the access. Delete Account under Settings cancels the subscription, disconnects both, and deletes everything that belongs to the account. Neither can be undone. All that remains of a deleted account is when its trial ended, how many notifications it had used, and when it was deleted, under keyed hashes of the ids of the Discord user, the server and the workspace, because each has one trial; and for up to 31 days, under such hashes too, how many tests were sent that day and whom the person had asked for a server.',
        },
      ],
    },
  ],
};
