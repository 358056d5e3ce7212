import type { SourceFile } from '../lib/testing/source-files';

/** Where a run puts its pictures. */
export const PICTURES = '.pagewire/pictures';

/** The screens that the pictures show. */
const SCREENS = [
  'components/accounts/accounts-screen',
  'components/activity/activity-screen',
  'components/discord/discord-screen',
  'components/home/home-screen',
  'components/rules/rules-screen',
  'components/setup/setup-screen',
  'components/shell/shell',
];

// The code that draws in the browser. No picture shows the search (with its texts of the documentation) or the start.
const SEEN =
  /^(components\/(?!docs\/|palette\/|start\/)|lib\/client\/format$|lib\/features\/[^/]+\/words$|lib\/time$)/;

/**
 * Visible inputs that no screen imports: styles, the server's texts, the stand-ins and their data, the picture script.
 */
const OTHERS = [
  'app/globals.css',
  'e2e/pictures',
  'lib/features/cards',
  'lib/features/composing',
  'lib/features/deliveries/reasons.ts',
  'lib/features/matching/filters.ts',
  'sandbox/discord/page',
  'sandbox/discord/seed-guilds.ts',
  'sandbox/notion/page',
  'sandbox/notion/seed',
  'sandbox/people.ts',
];

/** The files and folders that determine the pictures: the screens with the components they import, and the others. */
export function pictureInputs(files: SourceFile[]): string[] {
  const byName = new Map(files.map((file) => [file.path.replace(/\.tsx?$/, ''), file]));
  const found = new Set<string>();
  const follow = (name: string) => {
    const file = byName.get(name);
    if (!file || found.has(file.path)) return;
    found.add(file.path);
    for (const next of file.imports) if (SEEN.test(next)) follow(next);
  };
  for (const screen of SCREENS) follow(screen);
  return [...found, ...OTHERS].sort();
}
