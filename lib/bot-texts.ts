import { entryTexts } from './entry-texts';
import { newsTexts } from './news-texts';
import { lateTexts, problemTexts } from './problem-texts';

const counted = (count: number, one: string, several = `${one}s`) =>
  count === 1 ? `1 ${one}` : `${count.toLocaleString('en-US')} ${several}`;

/**
 * Everything that the bot says in Discord. Texts from outside must be passed in escaped and truncated. Sentences that
 * the dashboard also shows are written in the features that decide them, and are passed in.
 */
export const texts = {
  testOf: (name: string) => `Test: ${name}`,
  notion: 'Notion',
  /** The name of a forum post about several pages. */
  postOf: (sourceName: string) => `What happened in ${sourceName}`,

  unknownCommand: 'This command no longer exists. Discord shows the new ones in a moment.',
  unknownControl: 'This button no longer works. Use a newer card or a command.',
  serverOnly: 'Use this command in a server that Pagewire is connected to.',
  failed: (reference: string) => `Something went wrong. Reference: ${reference}`,

  helpLines: (appUrl: string, docsUrl: string) => [
    'Pagewire posts a card here when a Notion page that a rule watches changes.',
    '`/notion task` creates a task. You can also open the menu of a message and choose Apps, Create Notion task.',
    '`/notion my-tasks` lists your open tasks, `/notion find` searches pages by title.',
    '`/notion link-account` asks to link you to your Notion user, so that cards can mention you and tasks can be assigned to you.',
    '`/notion notify` says whether Pagewire writes to you about pages that concern you.',
    'The buttons of a card change its page in Notion: they assign a task to you, set its status, or do whatever else the rule offers.',
    `Rules and connections: ${appUrl}`,
    `How it works: ${docsUrl}`,
  ],

  linkNotConnected: 'This server is not connected to a Notion workspace yet. Ask whoever set up Pagewire.',
  alreadyLinked: (name: string) => `You are already linked to ${name} in Notion.`,
  linkRequested:
    'Your request is waiting. The administrator chooses your Notion user under Accounts in Pagewire, and the bot writes to you once it is decided. If you do not accept direct messages from it, run this command again later.',
  linkRequestedAgain:
    'Your earlier request was declined, and a new one is waiting. Ask the administrator of Pagewire about it.',
  linkApproved: (name: string, server: string) =>
    `You are now linked to ${name} in Notion. In ${server} you can take tasks with Assign to me and list yours with \`/notion my-tasks\`.`,
  linkOfferNotify: (sentence: string) =>
    `${sentence} Pagewire can write to you here about pages that concern you, if you want.`,
  notify: { on: 'Write to me', digest: 'Once each morning', off: 'No messages' },
  notifyState: {
    on: 'Pagewire writes to you about pages that concern you.',
    digest: 'Pagewire writes to you each morning about pages that concern you.',
    off: 'Pagewire does not write to you about pages.',
  },
  notifyStopped:
    'Pagewire no longer writes to you about pages. `/notion notify` in the server brings them back.',
  notifyClosed: (sentence: string, problem: string) =>
    `${sentence} The last one did not reach you: ${problem} Allow direct messages from members of this server, then choose again.`,
  notifyGone: 'You are not linked there any more. Run `/notion link-account` in the server.',
  stopNotifying: 'Stop these messages',
  yourDigest: (pages: number) =>
    pages === 1 ? 'News of a page that concerns you' : `News of ${counted(pages, 'page')} that concern you`,

  linkRejected: (server: string) =>
    `Your request to be linked to Notion in ${server} was declined. Ask the administrator of Pagewire there, then run \`/notion link-account\` again.`,

  problems: problemTexts,
  entry: entryTexts,
  late: lateTexts,
  notShown: 'Discord did not accept the answer. Look in Notion before you try again.',
  withReference: (sentence: string, reference: string) => `${sentence} Reference: ${reference}`,

  chooseDatabase: 'In which database?',
  tooManyDatabases: 'There are more; `/notion task` finds them by its database option.',
  newTask: 'New task',
  titleLabel: 'Title',
  titleMissing: 'A task needs a title. Nothing was created.',
  badDate: (property: string, given: string) =>
    `${property}: "${given}" is not a date like 2026-11-30. Nothing was created.`,
  fillInAgain: 'Fill in again',
  dateHint: 'A date like 2026-11-30',
  assigneeHint: 'A member of this server who is linked to Notion',
  moreStatuses: (count: number) => `The first 25 of ${count}; Change status on the task lists them all`,
  descriptionLabel: 'Description',
  fromMessage: 'The task keeps a link to the message.',
  unconfirmed: 'Notion has not confirmed this yet. The outcome will appear here.',
  created: (page: string, database: string) => `Created ${page} in ${database}.`,
  assigneeUnlinked: (mention: string) =>
    `${mention} is not linked to Notion, so nobody is assigned. They can run \`/notion link-account\`.`,

  assigned: (page: string) => `${page} is now assigned to you.`,
  assignedTo: (page: string, mention: string) => `${page} is now assigned to ${mention}.`,
  alreadyAssignedTo: (page: string, mention: string) => `${page} is already assigned to ${mention}.`,
  alreadyAssigned: (page: string) => `${page} is already assigned to you.`,
  chooseStatus: 'Which status?',
  statusPlaceholder: 'Choose a status',
  screenOf: (screen: number, screens: number) => `${screen} of ${screens}`,
  previous: 'Previous',
  next: 'Next',
  statusSet: (page: string, status: string) => `${page} is now ${status}.`,
  statusSame: (page: string, status: string) => `${page} is already ${status}.`,

  noTasks: 'No open task is assigned to you. Take one with Assign to me on its card.',
  tasksUnread: (databases: string) =>
    `Notion did not list the tasks of ${databases}, so yours may be missing here. Try again in a minute.`,
  tasksUnasked: (databases: string) =>
    `There was no time to look in ${databases}, where tasks of yours may be too. Databases that were edited lately come first.`,
  myTasks: (count: number, hasMore: boolean) => {
    if (hasMore) return `The first ${count} of your open tasks`;
    return count === 1 ? 'Your open task' : `Your ${count} open tasks`;
  },
  due: (date: string) => `due ${date}`,
  openPlaceholder: 'Open one to work on it',
  findMissing: 'Type a part of the title to find pages by.',
  nothingFound: (text: string) =>
    `No page that is shared with Pagewire has "${text}" in its title. New pages can take a minute to be found.`,
  found: (text: string) => `Pages with "${text}" in the title`,
  moreFound: 'There are more. A longer part of the title narrows them down.',

  openInNotion: 'Open in Notion',
  open: 'open',

  reminder: { done: 'Done', tomorrow: 'Tomorrow', week: 'Next week' },
  valueSet: (page: string, property: string, value: string) => `${property} of ${page} is now ${value}.`,
  valueSame: (page: string, property: string, value: string) => `${property} of ${page} is already ${value}.`,
  /** The reply to a message from which a task was made. */
  echo: {
    done: (who: string | null) => (who ? `Done by ${who}` : 'Done'),
    reopened: (who: string | null) => (who ? `Reopened by ${who}` : 'Reopened'),
  },

  undo: 'Undo',
  undone: (page: string, property: string, value: string) =>
    `Undone: ${property} of ${page} is ${value} again.`,

  untitled: 'Untitled',
  aPage: 'A page',
  someone: 'Someone',
  empty: 'empty',
  andMore: (count: number) => `and ${count.toLocaleString('en-US')} more`,
  andMoreChanges: (count: number) => `and ${count} more ${count === 1 ? 'change' : 'changes'}`,
  createdBy: (who: string | null, when: string) => (who ? `Created by ${who} ${when}` : `Created ${when}`),
  updatedBy: (who: string | null, when: string) => (who ? `Updated by ${who} ${when}` : `Updated ${when}`),
  editedBy: (who: string | null, when: string) => (who ? `Edited by ${who} ${when}` : `Edited ${when}`),
  commentedBy: (who: string | null, when: string) =>
    who ? `Commented by ${who} ${when}` : `Commented ${when}`,
  trashedBy: (who: string | null, when: string) =>
    who ? `Moved to the trash by ${who} ${when}` : `Moved to the trash ${when}`,
  restoredBy: (who: string | null, when: string) => (who ? `Restored by ${who} ${when}` : `Restored ${when}`),
  goneSince: (when: string) => `Deleted, or no longer shared with Pagewire, ${when}`,
  gonePage: (title: string) => `${title} was deleted, or is no longer shared with Pagewire`,
  cardGoesOn: (title: string) => `The card of ${title} continues here:`,
  attached: (files: number) => (files === 1 ? '1 file attached' : `${files} files attached`),
  listed: (names: string[], most: number) => {
    const shown = names.slice(0, most);
    const rest = names.length - shown.length;
    if (rest > 0) return `${shown.join(', ')} and ${rest} more`;
    return shown.length > 1 ? `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}` : (shown[0] ?? null);
  },
  createdPage: (who: string, title: string) => `${who} created ${title}`,
  editedContent: (who: string, title: string) => `${who} edited ${title}`,
  commentedOn: (who: string, title: string, text: string) =>
    text ? `${who} commented on ${title}: ${text}` : `${who} commented on ${title}`,
  trashedPage: (who: string, title: string) => `${who} moved ${title} to the trash`,
  restoredPage: (who: string, title: string) => `${who} restored ${title}`,
  renamedPage: (who: string, before: string, title: string) => `${who} renamed ${before} to ${title}`,
  changedPage: (who: string, changes: { name: string; value: string }[], more: number, title: string) => {
    const [only, ...others] = changes;
    if (!only) return `${who} changed ${title}`;
    if (others.length === 0 && more === 0) return `${who} changed ${only.name} of ${title} to ${only.value}`;
    const parts = changes.map(({ name, value }) => `${name} to ${value}`);
    const last = more > 0 ? `${more} more` : parts.pop();
    return `${who} changed ${parts.join(', ')} and ${last} on ${title}`;
  },
  cardFooter: (rule: string, event: string) => `Pagewire · ${rule} · ${event}`,
  testOfRule: (rule: string) => `Test of the rule ${rule}. It does not count.`,

  floodCount: (count: number, rule: string) => `and ${count.toLocaleString('en-US')} more from ${rule}`,
  showFlood: 'Show them',
  floodPages: (count: number, listed: number) =>
    listed < count
      ? `The first ${listed.toLocaleString('en-US')} of ${count.toLocaleString('en-US')} in one card. Activity has all of them.`
      : `${count === 1 ? '1 event' : `${count.toLocaleString('en-US')} events`} in one card`,
  floodGone: 'What this card counted is no longer kept.',

  awayTitle: 'While we were away',
  awayIntro: (since: string, until: string, pages: number) =>
    `${since === until ? `At ${since}` : `Between ${since} and ${until}`} Pagewire heard nothing from Notion. Meanwhile ${pages === 1 ? '1 page' : `${pages.toLocaleString('en-US')} pages`} changed:`,
  awayFooter: 'Pagewire · late changes in one card',
  newPage: 'new page',
  changesOf: (count: number) => (count === 1 ? '1 change' : `${count.toLocaleString('en-US')} changes`),

  digestOf: (what: string, name: string) => `${what} in ${name}`,
  digestPages: {
    page_created: (pages: number) => counted(pages, 'new page'),
    page_updated: (pages: number) => counted(pages, 'changed page'),
    content_updated: (pages: number) => counted(pages, 'edited page'),
    comment_created: (pages: number) => counted(pages, 'page with new comments', 'pages with new comments'),
    page_deleted: (pages: number) => counted(pages, 'page moved to the trash', 'pages moved to the trash'),
    page_restored: (pages: number) => counted(pages, 'restored page'),
    date_near: (pages: number) => counted(pages, 'page with a date near', 'pages with a date near'),
    page_untouched: (pages: number) => counted(pages, 'untouched page'),
    summary: (pages: number) => counted(pages, 'page'),
  },
  digestFooter: (rule: string, when: string) => `Pagewire · ${rule} · ${when}`,
  digestAfterQuiet: 'after quiet hours',
  digestTogether: 'told together',
  noStatus: 'No status',
  showMore: (count: number) => `Show ${count.toLocaleString('en-US')} more`,
  restOf: (from: number, to: number, pages: number, isCut: boolean) =>
    `Pages ${from.toLocaleString('en-US')} to ${to.toLocaleString('en-US')} of ${isCut ? 'the first ' : ''}${pages.toLocaleString('en-US')}`,
  digestGone: 'What this message listed is no longer kept: it is deleted after 30 days, and with its rule.',

  takeoverAsked: (asker: string, userId: string | null, server: string, until: string) =>
    [
      `${asker}${userId ? ` (<@${userId}>)` : ''} manages ${server} in Discord and asks to have it in their Pagewire account. It is connected to yours, and you no longer manage it.`,
      `Keep it, and nothing changes. Hand it over, and it leaves your account; your rules for it are deleted. Without an answer by ${until} they can take it over.`,
    ].join('\n'),
  keepServer: 'Keep it',
  handOverServer: 'Hand it over',
  serverKept: (server: string) =>
    `You keep ${server}. The person who asked for it is told, and cannot ask again for 30 days.`,
  serverHandedOver: (server: string, asker: string) =>
    `You hand ${server} over to ${asker}. It leaves your account; your rules for it are deleted.`,
  takeoverEnded: 'This request has ended. What you have connected now is shown in Pagewire.',
  takeoverDeclined: (server: string) =>
    `Whoever connected ${server} to Pagewire keeps it. You can ask again in 30 days.`,
  takeoverGranted: (server: string, setupUrl: string) =>
    `${server} was handed over to you and is now connected to your Pagewire account. It has no rules yet: ${setupUrl}`,
  takenOver: (server: string) =>
    `${server} is no longer connected to your Pagewire account. The person who asked for it has taken it over, because seven days passed without your answer. Your rules for it are deleted.`,

  ...newsTexts,
};
