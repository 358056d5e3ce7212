import { type DocPage, screen } from './doc-page';

export const gettingStarted: DocPage = {
  path: '/docs/getting-started',
  title: 'Getting started',
  description: 'From nothing to a connected server and workspace. It takes about 5 minutes.',
  sections: [
    {
      id: 'before',
      heading: 'Before you start',
      blocks: [
        {
          kind: 'list',
          items: [
            'A Discord account with the Manage Server permission in the server you want to use.',
            'A Notion account with full access to the databases you want to watch.',
          ],
        },
      ],
    },
    {
      id: 'sign-in',
      heading: 'Sign in',
      blocks: [
        {
          kind: 'text',
          text: 'Open Pagewire and choose Login with Discord. Your account is created the first time you sign in, and a trial of 14 days starts. No payment details are needed.',
        },
      ],
    },
    {
      id: 'discord',
      heading: 'Step 1: add the bot to your server',
      blocks: [
        {
          kind: 'steps',
          items: [
            'Choose Add Bot to Discord Server.',
            'On Discord’s page, pick the server and authorize. Leave the permissions as they are; the bot needs each of them.',
            'You come back to Pagewire, and the first step shows the name of the server.',
          ],
        },
        {
          kind: 'note',
          text: 'All members of that server can use the bot’s commands: [what they give access to, and how to limit it](/docs/features/commands).',
        },
        screen('setup', 'The setup page with its two steps'),
      ],
    },
    {
      id: 'notion',
      heading: 'Step 2: connect Notion',
      blocks: [
        {
          kind: 'steps',
          items: [
            'Choose Connect Notion Workspace.',
            'Notion asks which pages may be read. Pick the databases you want to watch, or a page that contains them.',
            'You come back to Pagewire. Setup is complete, and you land on the dashboard.',
          ],
        },
        {
          kind: 'note',
          text: 'The person who connects the workspace is its installer. The installer is linked to Notion at once; everyone else links as described in [Account linking](/docs/features/account-linking).',
        },
      ],
    },
    {
      id: 'next',
      heading: 'What comes next',
      blocks: [{ kind: 'text', text: 'Create [your first rule](/docs/getting-started/first-rule).' }],
    },
  ],
};
