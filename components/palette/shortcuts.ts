/** A key of the dashboard. "Mod" is Cmd on a Mac, elsewhere Ctrl. */
interface Shortcut {
  keys: string[];
  text: string;
}

/** The keys as the dialog and the documentation describe them. */
export const SHORTCUTS: Shortcut[] = [
  { keys: ['Mod', 'K'], text: 'Go to a page, a rule or a database, or do something' },
  { keys: ['/'], text: 'Search this page' },
  { keys: ['n'], text: 'New rule' },
  { keys: ['j'], text: 'Next row of Rules or Activity' },
  { keys: ['k'], text: 'Previous row' },
  { keys: ['?'], text: 'Show these keys' },
];
