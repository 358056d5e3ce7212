import type { DocPage } from './doc-page';

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
          kind: 'list',
          items: [
            'Your rules, links and connections.',
            'The last known values of watched and displayed properties, encrypted, to tell what changed.',
            'Access tokens of Notion, encrypted.',
            'For each delivery: when, where, and what became of it.',
          ],
        },
        {
          kind: 'text',
          text: 'What Notion told, and why something was not posted, is kept for 30 days. Deliveries are kept for 13 months, because the usage of a period is counted from them, and so is the record of what was connected, linked and changed. The known values of a page are forgotten with the last rule of its database.',
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
          text: 'Disconnecting a server or a workspace deletes its rules and gives the access back. Delete Account under Settings cancels the subscription, disconnects both, and deletes all that belongs to the account. Neither can be undone. What stays of a deleted account is when its trial ended, under a keyed hash of the Discord user id: a trial is had once.',
        },
      ],
    },
  ],
};
