import { type DocPage, screen } from './doc-page';

export const firstRule: DocPage = {
  path: '/docs/getting-started/first-rule',
  title: 'Your first rule',
  description: 'Send what happens in one database to one channel.',
  sections: [
    {
      id: 'create',
      heading: 'Create it',
      blocks: [
        {
          kind: 'text',
          text: 'After the setup, Home proposes a rule for your first task database: choose its channel and create it, or change it first. You can make any other rule yourself.',
        },
        {
          kind: 'steps',
          items: [
            'Open Rules and choose New Rule.',
            'Choose the database. Its type is shown next to the name.',
            'If one of the [recipes](/docs/features/notification-rules#recipes) at the top does what you want, use it; then only the channel is left to choose.',
            'Choose the event: Page Created for new pages, Page Updated for changes.',
            'For Page Updated, choose the properties to watch. A card is posted when one of them gets a new value.',
            'Choose the channel. Only channels where the bot may post are offered.',
            'Choose the fields that the card shows besides the title and what changed.',
            'Check the card next to the form. Preview fills it with a real page, and Send test posts it to the channel.',
            'Choose Create Rule.',
          ],
        },
        screen('rule-dialog', 'The rule form with the preview of its card'),
      ],
    },
    {
      id: 'try',
      heading: 'Try it',
      blocks: [
        {
          kind: 'text',
          text: 'Change a watched property of any page in the database. Notion reports changes after a short while, often within a minute; the card follows within seconds of the report. The rule then shows when it last delivered.',
        },
        {
          kind: 'note',
          text: 'Notion reports a new page before anyone has typed its title. The card waits until the page has a title and nobody has touched it for 20 seconds, two minutes at most. A rule can also post at once; its card then changes while the page is being written.',
        },
      ],
    },
    {
      id: 'missing',
      heading: 'No card?',
      blocks: [{ kind: 'text', text: 'See [Troubleshooting](/docs/troubleshooting).' }],
    },
  ],
};
