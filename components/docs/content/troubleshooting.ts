import { type DocPage, screen } from './doc-page';

export const troubleshooting: DocPage = {
  path: '/docs/troubleshooting',
  title: 'Troubleshooting',
  description: 'When something does not work: what it means and what to do.',
  sections: [
    {
      id: 'no-card',
      heading: 'A card does not arrive',
      blocks: [
        {
          kind: 'steps',
          items: [
            'Open Rules and click the health of the rule. Its list shows the outcome of every event, and the reason.',
            'Is the rule switched on?',
            'For Page Updated: is the property that changed among the watched ones, and does the status pass the filter?',
            'Open Discord: is the channel Accessible? If not, the missing permission is named below it.',
            'Open Notion: is the database in the list? If not, share it with the bot.',
            'Open Home: is the trial over, or the month’s limit reached?',
          ],
        },
      ],
    },
    {
      id: 'late-card',
      heading: 'A card comes late',
      blocks: [
        {
          kind: 'text',
          text: 'Notion reports most changes within a minute, some after five, and a few not at all. Every 15 minutes Pagewire compares the databases of your rules with what Notion reported, so that a lost change becomes one late card. Open Notion in the dashboard: each database shows when its last event arrived.',
        },
        {
          kind: 'text',
          text: 'If that was not possible for more than an hour, because Notion, its connection or Pagewire was down, three or more missed changes for one channel become a single card, “While we were away”. It lists up to 25 pages with what changed, and how many more there are, and counts as one notification.',
        },
        {
          kind: 'note',
          text: 'Only new pages and changed properties are found this way. Comments, edited content, and moves to and from the trash that Notion did not report get no card.',
        },
        {
          kind: 'note',
          text: 'A late card names the person who edited the page last, because Notion no longer says who made which change. A change that was undone meanwhile gets no card.',
        },
      ],
    },
    {
      id: 'no-access',
      heading: 'A channel says No Access',
      blocks: [
        {
          kind: 'text',
          text: 'In Discord, open the settings of the channel, then Permissions, and allow View Channel, Send Messages and Embed Links for the bot’s role. If a rule uses the channel, the rule says which of them is missing and whether the server’s roles, the category or the channel denies it; press Check again afterwards. The list follows within seconds. A channel that the bot cannot see at all is listed only while a rule uses it.',
        },
        screen('discord', 'The channel list with the missing permission of a channel'),
      ],
    },
    {
      id: 'database',
      heading: 'A database is missing',
      blocks: [
        {
          kind: 'text',
          text: 'In Notion, open the database, open its menu, choose Connections and add Pagewire. Sharing a page shares the databases in it. A database in the trash is not listed; its rules are kept and continue when it is restored.',
        },
      ],
    },
    {
      id: 'connection-lost',
      heading: 'Connection lost',
      blocks: [
        {
          kind: 'text',
          text: 'Home, Rules and the page of the connection say this when Notion no longer accepts the connection, for instance because somebody has removed it there, or when the bot is no longer in the server.',
        },
        {
          kind: 'steps',
          items: [
            'Open Notion or Discord in the dashboard and choose Connect again.',
            'Choose the same server, or the same workspace with the databases and pages that your rules watch.',
            'Cards that failed meanwhile can be sent again from the [recent deliveries](/docs/features/notification-rules#deliveries). Missed changes in Notion are found as after [any outage](/docs/troubleshooting#late-card).',
          ],
        },
        {
          kind: 'note',
          text: 'Do not disconnect first: that deletes the rules. Connecting again keeps them.',
        },
      ],
    },
    {
      id: 'setup-errors',
      heading: 'Setup shows an error',
      blocks: [
        {
          kind: 'table',
          columns: ['Message', 'What to do'],
          rows: [
            [
              'OAuth failed',
              'The words behind it say why, such as that the plan has one server and another is connected. If they say only access_denied, the authorization was canceled or refused: start the step again.',
            ],
            ['Missing required OAuth parameters', 'The link was incomplete. Start the step again.'],
            [
              'Invalid OAuth state',
              'The attempt was older than 10 minutes, used twice, or started in another browser. Start the step again here.',
            ],
            ['Failed to exchange OAuth token', 'Discord or Notion did not confirm. Try again in a minute.'],
            ['Failed to fetch user information from Notion', 'Notion did not answer. Try again in a minute.'],
            ['An internal error occurred', 'Try again later. If the error persists, write to support.'],
          ],
        },
      ],
    },
    {
      id: 'taken',
      heading: 'A server is connected to another account',
      blocks: [
        {
          kind: 'text',
          text: 'A server belongs to one account at a time. The person who connected it can give it up with Disconnect Server under Discord; then anybody with Manage Server can connect it.',
        },
        {
          kind: 'text',
          text: 'If that person no longer has Manage Server there, and you do, you can take it over:',
        },
        {
          kind: 'steps',
          items: [
            'Add the bot to the server. Setup says that it is connected to another account, and offers Ask to take over.',
            'The holder gets a direct message from the bot, and a notice in Pagewire, with two answers: Keep it, or Hand it over. They have seven days.',
            'If they hand it over, it moves to your account at once, or, if you have another server connected, when you have disconnected that and add the bot again. If they keep it, it stays, and you can ask again after 30 days.',
            'If they do not answer for seven days, even if only because they accept no messages, add the bot to the server again: it moves to your account. This works for 23 days, and not if the holder has Manage Server again.',
          ],
        },
        {
          kind: 'note',
          text: 'A server that moves starts clean: the rules of its former holder are deleted, and none of their waiting cards is sent. Both accounts keep a record of what was asked, answered and moved.',
        },
      ],
    },
    {
      id: 'login',
      heading: 'Login fails',
      blocks: [
        {
          kind: 'text',
          text: 'Go back to the login page and sign in again. If the message stays, allow cookies for this site, or try a private window.',
        },
      ],
    },
    {
      id: 'assign',
      heading: 'A button or command says that you are not linked',
      blocks: [
        {
          kind: 'text',
          text: 'Run `/notion link-account` in Discord and ask the account holder to approve it: [Account linking](/docs/features/account-linking).',
        },
      ],
    },
  ],
};
