import type { DocPage } from './doc-page';

export const commands: DocPage = {
  path: '/docs/features/commands',
  title: 'Commands',
  description: 'Create, find and follow tasks by typing in Discord.',
  sections: [
    {
      id: 'all',
      heading: 'All commands',
      blocks: [
        {
          kind: 'table',
          columns: ['Command', 'What it does'],
          rows: [
            [
              '`/notion task`',
              'Opens a form for a new task: title, status, assignee, due date and description.',
            ],
            ['`/notion my-tasks`', 'Lists your open tasks, with their buttons.'],
            ['`/notion find`', 'Searches pages by title.'],
            ['`/notion link-account`', 'Asks to link you to your Notion user.'],
            [
              '`/notion notify`',
              'Says whether Pagewire writes to you about pages that concern you, and lets you choose: at once, together each morning, or not at all.',
            ],
            ['`/notion help`', 'Shows the commands.'],
          ],
        },
        {
          kind: 'text',
          text: 'With several task databases, `/notion task` takes a `database` option that completes as you type.',
        },
        {
          kind: 'text',
          text: 'Type a due date like 2026-11-30. The assignee must be a member of the server who is [linked](/docs/features/account-linking); otherwise the task is created without an assignee.',
        },
      ],
    },
    {
      id: 'message',
      heading: 'From a message',
      blocks: [
        {
          kind: 'text',
          text: 'Open the menu of any message, choose Apps and then Create Notion task. The new task keeps a link to the message.',
        },
        {
          kind: 'text',
          text: 'When the task is completed, the bot replies to the message: “Done by Ines”. Only the author of the message is notified, unless they completed the task themselves; in quiet hours it makes no sound. When the task is reopened, the reply is changed to say so; there is never a second one. No rule is needed for it. The reply counts as one notification; changes to it do not. Pagewire stops updating it 13 months after the task was last completed or reopened.',
        },
      ],
    },
    {
      id: 'reminders',
      heading: 'From a reminder',
      blocks: [
        {
          kind: 'table',
          columns: ['Button', 'What it does'],
          rows: [
            ['Done', 'Sets the first status for finished work. Only in task databases.'],
            ['Tomorrow', 'Moves the date that the rule reminds of to tomorrow.'],
            ['Next week', 'Moves it to one week from today.'],
          ],
        },
        {
          kind: 'text',
          text: 'Tomorrow and today are those of the account’s time zone. The time of day, the time zone and the length of a range stay as they are. The buttons need a [linked account](/docs/features/account-linking), and work in channels, where the reminder then shows what was changed, and in direct messages. For an hour, the answer, which only you see, has an Undo button: it restores the former value, unless somebody has changed it since.',
        },
      ],
    },
    {
      id: 'who',
      heading: 'Who may use them',
      blocks: [
        {
          kind: 'text',
          text: 'All members of the server. Only the person who runs a command sees its reply. Creating a task needs no linked account; `/notion my-tasks` does.',
        },
        {
          kind: 'table',
          columns: ['What', 'Who'],
          rows: [
            [
              'Search the pages shared with Pagewire by title, and see the title, database, status, due date and link of each result',
              'Every member',
            ],
            ['Create a task in a shared task database', 'Every member'],
            [
              'Change the status of a task',
              'Every member, from their search results and from every card they see',
            ],
            ['Take a task with Assign to me, and list your own tasks', 'Linked members'],
            [
              'Use the other buttons that a rule puts below its cards, such as Comment or Change due date',
              'Every member who sees the card',
            ],
          ],
        },
        {
          kind: 'note',
          text: 'In a server that anybody can join, anybody can do this. Pagewire warns on Setup and on the Discord page when Discord lists the server in Server Discovery, when it has a custom invite link, or when its widget shows an invite. It cannot know about invites posted elsewhere.',
        },
        {
          kind: 'text',
          text: 'To let fewer people use the commands, open Server Settings in Discord, then Integrations, then Pagewire, and choose roles, members or channels. The buttons of a card work for everybody who sees its channel, so send cards to a channel that only the right people see. No command can reach a page that is not shared with Pagewire in Notion.',
        },
      ],
    },
  ],
};
