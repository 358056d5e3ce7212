import { SHORTCUTS } from '@/components/palette/shortcuts';
import type { DocPage } from './doc-page';

const written = (keys: string[]) => keys.map((key) => `\`${key === 'Mod' ? 'Ctrl' : key}\``).join(' ');

export const keyboard: DocPage = {
  path: '/docs/features/keyboard',
  title: 'Search and keyboard',
  description: 'Go anywhere and do anything in the dashboard without the mouse.',
  sections: [
    {
      id: 'search',
      heading: 'Search',
      blocks: [
        {
          kind: 'text',
          text: 'Search, at the top of the sidebar or of a phone’s screen, finds pages of the dashboard, your rules, the databases that are shared with the bot, and this documentation. It also offers what can be done: creating a rule, reading Discord or Notion again, changing the theme, logging out.',
        },
        {
          kind: 'text',
          text: 'Type a few letters, choose with the arrow keys, and press Enter. Escape closes it and brings you back to where you were.',
        },
      ],
    },
    {
      id: 'keys',
      heading: 'Keys',
      blocks: [
        {
          kind: 'table',
          columns: ['Key', 'What it does'],
          rows: SHORTCUTS.map(({ keys, text }) => [written(keys), text]),
        },
        {
          kind: 'text',
          text: 'On a Mac, Cmd takes the place of Ctrl. Single keys do nothing while you type in a field or while a dialog is open. The list of keys in the dashboard can switch them off, for instance if speech input triggers them.',
        },
      ],
    },
  ],
};
