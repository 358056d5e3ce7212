import { cardSections } from './card-sections';
import { type DocPage, screen } from './doc-page';

export const notificationRules: DocPage = {
  path: '/docs/features/notification-rules',
  title: 'Notification rules',
  description: 'What a rule watches, when it posts, and what its card says.',
  sections: [
    {
      id: 'sources',
      heading: 'What a rule watches',
      blocks: [
        {
          kind: 'table',
          columns: ['Watch', 'Means'],
          rows: [
            ['A database', 'its pages, with their properties'],
            ['The page alone', 'one page'],
            [
              'The page and its subpages',
              'the page and those directly below it, even in a column, a toggle or another block',
            ],
            [
              'The page and all below',
              'the page, everything below it at any depth, and the rows of databases there',
            ],
            ['Everything shared', 'every page that is shared with Pagewire, inside and outside databases'],
          ],
        },
        {
          kind: 'text',
          text: 'Type a part of a page’s title to find it. It takes a while until Notion’s search finds new and newly shared pages; until then, paste a link to the page instead. The rule follows the page when it is renamed or moved, and needs repair when the page is deleted or no longer shared.',
        },
        screen('source', 'The form of a rule for a page, with the pages that a search has found'),
        {
          kind: 'list',
          items: [
            'A page that is moved below the page does not count as new. From then on the rule watches it, and it stops watching a page that is moved away.',
            'Pages outside databases have a title and no properties. For them Page Updated means that the title changed, and such a rule has no conditions, no status filter and no displayed fields.',
            'Cards about pages in a task database have its [buttons](/docs/features/quick-actions), whatever the rule watches.',
            'Pagewire finds out what a page is in when something happens to it, and remembers that for a day. If Notion does not show it, because the page above is not shared, nothing is posted and the log says so.',
            'A card can show the old title of pages that Pagewire has seen before, and of the 2,000 pages that were edited last when the rule was made. For any other page, the first change of the title is not noticed.',
            'Changes that Notion does not report are found only in databases that a rule watches by name.',
          ],
        },
      ],
    },
    {
      id: 'events',
      heading: 'Events',
      blocks: [
        {
          kind: 'table',
          columns: ['Event', 'Posts when'],
          rows: [
            ['Page Created', 'a page is added to what the rule watches'],
            ['Page Updated', 'at least one watched property has a new value'],
            ['Content Edited', 'somebody edits the text of a page'],
            ['Comment Added', 'somebody comments on a page'],
            ['Page Moved to Trash', 'a page is moved to the trash'],
            ['Page Restored', 'a page comes back from the trash'],
          ],
        },
        {
          kind: 'text',
          text: 'Date Near, Page Untouched and Summary are triggered by a clock: see [Rules by the clock](/docs/features/clock-rules).',
        },
        {
          kind: 'text',
          text: 'A new page is posted once, when it has [settled](/docs/features/notification-rules#new-pages). If it goes to the trash before that, it is not posted.',
        },
        {
          kind: 'text',
          text: 'A change that is undone before Notion reports it counts as no change. Properties that hold files can be neither watched nor shown.',
        },
        {
          kind: 'text',
          text: 'Rules follow the new names of databases, properties and options in Notion. When a watched property is deleted, the rule continues with the others.',
        },
        {
          kind: 'text',
          text: 'Changes in a watched database that Notion does not report are found within about 15 minutes: see [A card comes late](/docs/troubleshooting#late-card).',
        },
      ],
    },
    {
      id: 'content',
      heading: 'Edited content',
      blocks: [
        {
          kind: 'text',
          text: 'All edits of a page become one card, once nobody has edited it for 5 minutes. If the edits do not stop, the card comes after an hour. The card says who edited the page, not what. The title of a page in a database is a property: Page Updated watches it.',
        },
      ],
    },
    {
      id: 'comments',
      heading: 'Comments',
      blocks: [
        {
          kind: 'text',
          text: 'Each comment is a card with its author, its text and the page. People, pages and dates that the text mentions are shown by name; the text itself pings nobody. Filters and conditions are about the page as it is when the comment arrives. Notion also reports suggested edits as comments, but does not show them: the log lists them as not posted.',
        },
        {
          kind: 'text',
          text: 'Comments need a permission that the operator of this Pagewire sets in Notion. While it is missing, Comment Added cannot be chosen, and the form says what to do. Pagewire checks again every ten minutes while the dashboard is open, when a rule is saved, and when you choose Refresh Notion in [Search](/docs/features/keyboard#search).',
        },
      ],
    },
    {
      id: 'trash',
      heading: 'Trash',
      blocks: [
        {
          kind: 'text',
          text: 'The card says who moved the page or brought it back. A page that is back where it was before its card could be posted gets no card. If a page is gone for good by then, the card shows the title that the page had when a rule last looked at it.',
        },
        {
          kind: 'text',
          text: 'Rules for other events post nothing about a page in the trash.',
        },
      ],
    },
    {
      id: 'status-filter',
      heading: 'Status filter',
      blocks: [
        {
          kind: 'text',
          text: 'When Status is among the watched properties, a filter appears. The rule then posts only when the page has one of the statuses you choose. An empty filter means all statuses.',
        },
      ],
    },
    {
      id: 'recipes',
      heading: 'Recipes',
      blocks: [
        {
          kind: 'text',
          text: 'A new rule can start from a recipe, at the top of its form. A recipe fills in the event, the properties and the conditions for the chosen database, or lets the rule watch a page. You choose the channel, and the page if there is one, and can change everything before you save. It asks before it replaces what you entered.',
        },
        screen('recipes', 'The recipes above the form of a new rule'),
        {
          kind: 'table',
          columns: ['Recipe', 'Posts', 'Needs'],
          rows: [
            ['New task inbox', 'every new page of a task database', 'a status'],
            [
              'Done or blocked',
              'pages whose status changes to one in the group for complete tasks',
              'a status with such an option',
            ],
            [
              'Assigned to somebody',
              'pages whose people change, unless nobody is left',
              'a property for people',
            ],
            ['Due date moved', 'pages whose date changes', 'a date'],
            [
              'Due tomorrow',
              'tasks that are due tomorrow and not complete, to the people who work on them',
              'a status with an option for complete tasks, a property for people, a date',
            ],
            [
              'Stale tasks',
              'tasks that are not complete and that nobody changed for a week',
              'a status with an option for complete tasks',
            ],
            [
              'Comments on tasks',
              'every comment on a page of a task database',
              'a status, and the permission to read [comments](/docs/features/notification-rules#comments)',
            ],
            ['Documents created under a page', 'every new page below a page, at any depth', 'no database'],
          ],
        },
        {
          kind: 'list',
          items: [
            'A recipe finds properties by their types and statuses by their groups, whatever their names. If several properties fit, it asks which one you mean.',
            'A recipe that does not fit the database says why.',
            'Notion does not say what blocks a task. To post blocked tasks too, add a condition on the status or property that says so, and watch that property.',
          ],
        },
      ],
    },
    {
      id: 'conditions',
      heading: 'Conditions',
      blocks: [
        {
          kind: 'text',
          text: 'Under Conditions, a rule can demand more of a page: up to ten conditions on its properties, of which all or any must hold. Conditions keep working when something is renamed in Notion. The closed section and the list of rules sum them up in a sentence.',
        },
        screen(
          'conditions',
          'Two conditions: that the status changed from In review to Done, and that it is due soon',
        ),
        {
          kind: 'table',
          columns: ['Property', 'Can be asked for'],
          rows: [
            ['Text, link, e-mail, phone', 'is, is not, contains, does not contain'],
            ['Status, select, checkbox, ID', 'is, is not'],
            ['Multi-select, people, relation', 'contains, does not contain'],
            ['Number', 'is, is not, is more than, is less than'],
            ['Date, created or edited time', 'is before, is after, is within the next or past days'],
            ['Formula, rollup', 'whatever fits its result'],
            ['Any', 'is empty, is not empty; in rules for updated pages also changed, from and to'],
          ],
        },
        {
          kind: 'list',
          items: [
            'Several values mean any of them; with “is not” and “does not contain” they mean none of them. For an empty property only these two and “is empty” hold.',
            '“Is” compares the whole text, including capitals; “contains” looks for a part of it and ignores capitals.',
            'For a date with an end, the beginning counts. “Within the next or past days” counts days in UTC, and for a date with a time exactly from the moment of the event.',
            'A new page is checked against the conditions when it has [settled](/docs/features/notification-rules#new-pages). A rule that posts at once does so for pages that meet them at once.',
            'An unknown value does not match, and the log says so: a rollup or formula that Notion cannot compute, an old value that nobody kept, or anything beyond the first 50,000 characters of a text or the first 100 entries of a list.',
          ],
        },
      ],
    },
    {
      id: 'places',
      heading: 'Channels, threads and forums',
      blocks: [
        {
          kind: 'text',
          text: 'A rule posts in a text channel, an announcement channel or an active thread. A private thread can be chosen once the bot is in it: mention the bot there. In a forum or a media channel a rule makes [posts](/docs/features/notification-rules#forums).',
        },
        {
          kind: 'list',
          items: [
            'In an announcement channel cards are posted, but not published to the servers that follow it.',
            'A thread has the permissions of its channel; the bot needs Send Messages in Threads. When Discord has archived it, the next card brings it back.',
            'Nothing is posted in a thread that is locked or deleted. The log and the rule say so; you can send the missing cards again from the log.',
          ],
        },
      ],
    },
    ...cardSections,
    {
      id: 'authors',
      heading: 'Whose work is posted',
      blocks: [
        {
          kind: 'text',
          text: 'Under People, a rule posts what anyone does, only what some people do, or what anyone but them does. Each choice can also leave out bots and integrations. When a rule leaves an event out because of its author, the log says so.',
        },
        screen('people', 'The part of the form that says whose work is posted and who is pinged'),
        {
          kind: 'list',
          items: [
            'What the bot changes for somebody in Discord, by command or button, counts as that person’s work if they are [linked](/docs/features/account-linking), and otherwise as the work of an unknown person.',
            'If several people changed a property before Notion reported it, the rule posts the change if it posts the work of at least one of them.',
            'If several properties changed, the card shows those that somebody changed whose work the rule posts.',
            'Notion says whether an author is a bot only when it reports a change. A change that Pagewire found by itself counts as a person’s.',
          ],
        },
      ],
    },
    {
      id: 'pings',
      heading: 'Who is pinged',
      blocks: [
        {
          kind: 'table',
          columns: ['Choice', 'Pings'],
          rows: [
            ['The people on the card', 'linked people named by the page, the change or a displayed field'],
            ['Only assignees', 'linked people in the property that says who works on the page'],
            ['Nobody', 'none of them'],
          ],
        },
        {
          kind: 'text',
          text: 'Nobody is pinged about their own work. A rule can also name up to 10 roles and 20 people who are always pinged, whoever made the change. A role is offered when anyone may @mention it in Discord, or when the bot has the permission to mention all roles in the channel. Pagewire never pings @everyone.',
        },
      ],
    },
    {
      id: 'name',
      heading: 'Names and copies',
      blocks: [
        {
          kind: 'text',
          text: 'Under More, a rule can have a name of up to 80 characters. It replaces the database and the channel in the list, on the cards, in the deliveries and in Activity. The button with two sheets makes a copy of a rule, which stays off until you switch it on.',
        },
      ],
    },
    {
      id: 'files',
      heading: 'Export and import',
      blocks: [
        {
          kind: 'text',
          text: 'Export all rules, below the list, saves them to a JSON file with the names of what they refer to. Import rules reads such a file, in this or another account: databases, pages, channels, properties, statuses, people and roles are found by their ids, or else by their names. It says which of the rules exist already, and leaves them out unless you choose otherwise.',
        },
        {
          kind: 'text',
          text: 'First a list shows which rules would be created and, for each, what does not fit. Either all rules of the file are created or none. Each is on or off as it was when it was exported.',
        },
        screen('import', 'A file of two rules, of which one names a channel that is not there'),
      ],
    },
    {
      id: 'card',
      heading: 'The card',
      blocks: [
        {
          kind: 'list',
          items: [
            'A sentence that says it all, such as “Mira changed Status of Boss fight to Done”, so that a phone’s notification is enough. It [pings](/docs/features/notification-rules#pings) the people whom the rule chooses.',
            'The title, which opens the page in Notion.',
            'What changed, as old → new.',
            'The fields you chose to display.',
            'Who did it, and when. Times show in each reader’s own time zone.',
            'For task databases, buttons: see [Quick actions](/docs/features/quick-actions).',
          ],
        },
        {
          kind: 'picture',
          src: '/docs/card.webp',
          alt: 'A status that changed in a database, and the card about it in a channel',
          width: 944,
          height: 300,
        },
      ],
    },
    {
      id: 'new-pages',
      heading: 'New pages settle first',
      blocks: [
        {
          kind: 'text',
          text: 'Notion announces a page before anybody has typed its title. The card of a new page therefore waits until the page has a title and nobody has edited it for 20 seconds, 2 minutes at most. A card without a title gets one if somebody types it within a day.',
        },
        {
          kind: 'text',
          text: 'With Post at once, below the event in the form, the card does not wait. It is updated while the page is being written, until the page has settled.',
        },
      ],
    },
    {
      id: 'preview',
      heading: 'Preview and test',
      blocks: [
        {
          kind: 'text',
          text: 'While you edit a rule, Preview shows its card for the page that was edited last among those that it would post now, or says that there is none. Send test posts that card to the channel, marked as a test, up to 20 times a day. Neither counts as a notification. The test shows whom the card would ping, and pings nobody. Its buttons that need a saved rule are switched off.',
        },
      ],
    },
    {
      id: 'try',
      heading: 'What would it have done?',
      blocks: [
        {
          kind: 'text',
          text: 'Try on the last 7 days, below the card in the form, says what the rule would have posted: how many events there were, how many cards, how many on each day in UTC, and each event with its changes or with the reason why it would not have been posted. You need not save the rule; nothing is sent, and nothing counts as a notification.',
        },
        screen('try', 'What a rule would have posted in the last 7 days, by day and event by event'),
        {
          kind: 'text',
          text: 'The answer is based on the events that Notion has reported and on the pages as they are now. Values that nobody kept are not guessed: such an event is listed as Not known, with what is missing.',
        },
        {
          kind: 'list',
          items: [
            'A value that changed again later is known only if the deliveries of another rule show it. The same holds for the value before a change.',
            'Values that Notion computes, such as formulas and rollups, may change without being reported, so a condition on them cannot be checked afterwards.',
            'Nothing is known about a page that is in the trash, in another database or no longer shared.',
            'For a rule to people, it counts who is on the page now, and whether they have said yes to direct messages by now.',
            'For a rule that a clock triggers, only the pages count: see [Rules by the clock](/docs/features/clock-rules#try).',
            'If there are very many pages, it reads those that were edited last, for four seconds, and says how far it got. It looks at 5,000 events at most and lists the newest 300.',
          ],
        },
      ],
    },
    {
      id: 'health',
      heading: 'Health',
      blocks: [
        {
          kind: 'text',
          text: 'Each rule shows its health and when it last delivered.',
        },
        screen('rules', 'The list of rules, each drawn as a wire'),
        {
          kind: 'table',
          columns: ['Word', 'Meaning'],
          rows: [
            ['Posting, Ready', 'All is well. Ready means that nothing has been posted yet.'],
            ['A page is settling', 'A page is being written; its card follows.'],
            [
              'Waiting',
              'A card is on its way, or will be tried again after a passing problem, for up to 24 hours. The time of the next attempt is shown next to it.',
            ],
            [
              'Held',
              'The plan allows no posting now. The rule says why: see [When posting stops](/docs/plans-and-billing#limits).',
            ],
            ['The last card failed', 'Discord refused one card; the reason is shown next to it.'],
            [
              'Cannot post',
              'The channel refuses cards, a [connection is lost](/docs/troubleshooting#connection-lost), or nobody to whom the rule writes can get its messages. The rule says why and what to do; for a permission, which one is missing and at which level. Of a channel that refuses cards you are also told once in Discord.',
            ],
            [
              'Needs repair',
              'The database, page, property or status that the rule names was deleted in Notion, or is no longer shared; or the property has another type there now.',
            ],
            [
              'Off',
              'The switch is off. Cards that wait to be sent are not posted, unless Discord was asked to post them already. Pagewire itself never turns a rule off.',
            ],
          ],
        },
        {
          kind: 'text',
          text: 'After you have granted a permission, press Check again. To fix a rule that needs repair, press Repair: the dialog marks what is gone. If a role to ping was deleted, the bot may no longer mention it, or it may not write in threads below its cards, a line below the rule says so; the cards still arrive.',
        },
      ],
    },
    {
      id: 'deliveries',
      heading: 'Recent deliveries',
      blocks: [
        {
          kind: 'text',
          text: 'Click the health of a rule to see the outcome of every event that it watches, newest first: what changed and when, where the card is, or why there is none. [Activity](/docs/features/activity) lists the same for all rules together.',
        },
        screen(
          'deliveries',
          'The recent deliveries of a rule: cards that were posted, and events that were not, with the reason',
        ),
        {
          kind: 'table',
          columns: ['Word', 'Meaning'],
          rows: [
            ['Posted', 'Discord confirmed the card. Open in Discord leads to it.'],
            ['Settling', 'The page is being written; its card follows when it has settled.'],
            ['Waiting', 'The card is sent again at the time shown.'],
            [
              'Held',
              'The plan allowed no posting then; the reason is shown below it. It is not posted later.',
            ],
            ['Failed', 'Discord refused the card, or a day of attempts failed. Resend sends a card again.'],
            ['Not posted', 'The rule does not post this event; the reason is shown below it.'],
          ],
        },
        {
          kind: 'text',
          text: 'Resend posts the card once, as it was first written, and counts as one notification. The rule must be on for it. If Discord’s response to an earlier attempt was lost, the reason says that the card may have been posted; Resend then looks for it in the channel first. Lines of threads, replies in forum posts, edits of living cards, digests and direct messages have no Resend. A page is listed as “A page” if nothing that the rule watches had changed, because Pagewire then does not read it. Events that were not posted are listed for 30 days.',
        },
      ],
    },
  ],
};
