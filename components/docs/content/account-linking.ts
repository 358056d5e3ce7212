import { type DocPage, screen } from './doc-page';

export const accountLinking: DocPage = {
  path: '/docs/features/account-linking',
  title: 'Account linking',
  description:
    'Tie Discord members to Notion users, so that mentions and assignments reach the right person.',
  sections: [
    {
      id: 'why',
      heading: 'What a link is for',
      blocks: [
        {
          kind: 'list',
          items: [
            'Cards @mention the person in Discord, and ping them about what others change.',
            'Assign to me knows which Notion user you are.',
            '`/notion my-tasks` lists your own tasks.',
            'Rules can write to you in direct messages, if you say yes with `/notion notify`.',
          ],
        },
      ],
    },
    {
      id: 'ask',
      heading: 'Ask for a link',
      blocks: [
        {
          kind: 'steps',
          items: [
            'In Discord, run `/notion link-account`.',
            'The account holder sees the request under Accounts, chooses your Notion user, and approves it. No user is preselected.',
            'Pagewire sends you the decision in a direct message. If you do not accept direct messages from members of the server, run the command again to see it.',
          ],
        },
        screen('accounts', 'Pending link requests and linked accounts'),
      ],
    },
    {
      id: 'installer',
      heading: 'The workspace installer',
      blocks: [
        {
          kind: 'text',
          text: 'The person who connected the workspace is its installer. They are linked at once and, after unlinking themselves, can link again under Settings without approval. The installer cannot be unlinked under Accounts.',
        },
      ],
    },
    {
      id: 'unlink',
      heading: 'Unlinking',
      blocks: [
        {
          kind: 'text',
          text: 'Unlinking ends mentions, direct messages about pages, Assign to me and personalized assignments for that person. The workspace stays connected, and the rules keep working; one that writes to this person alone says that it cannot. Whoever is linked again has to say yes to direct messages again.',
        },
        {
          kind: 'note',
          text: 'Disconnecting the workspace removes all links and requests, and disconnecting the server all requests. [Connecting again](/docs/troubleshooting#connection-lost) without disconnecting keeps them.',
        },
      ],
    },
  ],
};
