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
              'the page and those right below it, also in a column, a toggle or another block',
            ],
            [
              'The page and all below',
              'the page, everything below it at any depth, and the rows of databases there',
            ],
            ['Everything shared', 'every page that is shared with Pagewire, in databases and outside'],
          ],
        },
        {
          kind: 'text',
          text: 'Type a part of a page’s title to find it. Notion’s search knows new and just shared pages only after a while; until then, paste a link to the page instead. The rule follows the page when it is renamed or moved, and needs repair when the page is deleted or no longer shared.',
        },
        screen('source', 'The form of a rule for a page, with the pages that a search has found'),
        {
          kind: 'list',
          items: [
            'A page that is moved below the page is not a new one. From then on the rule watches it; a page that is moved away it watches no longer.',
            'Pages outside databases have a title and no properties. So Page Updated means there that the title changed, and such a rule has neither conditions nor a status filter nor displayed fields.',
            'Cards about pages in a task database have its [buttons](/docs/features/quick-actions), whatever the rule watches.',
            'Pagewire finds out what a page is in when something happens to it, and remembers that for a day. If Notion does not show what a page is in, because that is not shared, nothing is posted and the log says so.',
            'The old title on a card is known for pages that Pagewire has seen before, and for the 2,000 that were edited last when the rule was made. A first new title of any other page is not noticed.',
            'Only Notion’s own reports count: changes that Notion does not report are found in databases that a rule watches by name, and nowhere else.',
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
          text: 'Date Near, Page Untouched and Summary come from a clock: see [Rules by the clock](/docs/features/clock-rules).',
        },
        {
          kind: 'text',
          text: 'A new page is posted once, when it has [settled](/docs/features/notification-rules#new-pages), and not at all if it goes into the trash before that.',
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
          text: 'All edits of a page become one card, once nobody has edited it for 5 minutes. A page that is edited without end is told after an hour. The card says who edited the page, not what. The title of a page in a database is a property: Page Updated watches it.',
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
          text: 'Comments need a permission that whoever runs Pagewire sets in Notion. While it is missing, Comment Added cannot be chosen, and the form says what to do. Pagewire looks again every ten minutes, when a rule is saved, and with Refresh Notion in the command palette.',
        },
      ],
    },
    {
      id: 'trash',
      heading: 'Trash',
      blocks: [
        {
          kind: 'text',
          text: 'The card says who moved the page or brought it back. A page that is again where it was before its card could be posted gets none. If a page is gone for good by then, the card has the title that it had when a rule last looked at it.',
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
          text: 'When the Status property is among the watched ones, a filter appears. The rule then posts only when the status of the page is one of those you choose. An empty filter means all statuses.',
        },
      ],
    },
    {
      id: 'recipes',
      heading: 'Recipes',
      blocks: [
        {
          kind: 'text',
          text: 'A new rule can start from a recipe, at the top of its form. A recipe fills in the event, the properties and the conditions for the chosen database, or lets the rule watch a page. You choose the channel, and that page, and can change everything before you save. It asks before it replaces what you entered.',
        },
        screen('recipes', 'The recipes above the form of a new rule'),
        {
          kind: 'table',
          columns: ['Recipe', 'Posts', 'Needs'],
          rows: [
            ['New task inbox', 'every new page of a task database', 'a status'],
            [
              'Done or blocked',
              'pages whose status changes to one in the group for what is complete',
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
              'tasks that are due tomorrow and not complete, to whoever works on them',
              'a status with an option for what is complete, a property for people, a date',
            ],
            [
              'Stale tasks',
              'tasks that are not complete and that nobody changed for a week',
              'a status with an option for what is complete',
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
            'A recipe goes by the types of properties and the groups of the status, whatever they are called. If several properties could be meant, it asks which.',
            'A recipe that does not fit the database says why.',
            'Notion does not say what blocks a task. To post that too, add a condition on the status or property that means it, and watch that property.',
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
          text: 'Under Conditions, a rule can ask for more of a page: up to ten conditions on its properties, all or any of which must hold. Each follows new names in Notion. The closed section and the list of rules say in a sentence what they ask for.',
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
            'Several values mean any of them; with "is not" and "does not contain" none of them. Of an empty property only these two and "is empty" hold.',
            '"Is" asks for the whole text, capitals included; "contains" for a part of it, whatever its capitals.',
            'A date that has an end counts by its beginning. Days within the next or past days are counted in UTC.',
            'A new page is held to the conditions when it has [settled](/docs/features/notification-rules#new-pages). A rule that posts at once does so for pages that meet them at once.',
            'What cannot be known is no match, and the log says so: a rollup or formula that Notion cannot compute, an old value that nobody kept, or what stands beyond the first 1,200 characters of a text or the first 100 entries of a list.',
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
            'In a thread that is locked or deleted nothing is posted. The log says so, and so does the rule; what should have been posted can be sent again from the log.',
          ],
        },
      ],
    },
    ...cardSections,
    {
      id: 'people',
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
            "What the bot changes for somebody in Discord, by command or button, counts as that person's work if they are [linked](/docs/features/account-linking), and otherwise as the work of an unknown person.",
            'If several people changed a property before Notion reported it, it is enough that the rule posts the work of one of them.',
            'If several properties changed, the card shows those that were changed by somebody whose work the rule posts.',
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
            ['The people on the card', 'linked people whom the page, the change or a displayed field names'],
            ['Only assignees', 'linked people in the property that says who works on the page'],
            ['Nobody', 'none of them'],
          ],
        },
        {
          kind: 'text',
          text: 'Nobody is pinged about what they did themselves. A rule can also name up to 10 roles and 20 people who are always pinged, whoever did it. A role is offered when anyone may @mention it in Discord, or when the bot has the permission to mention all roles in the channel. Pagewire never pings @everyone.',
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
          text: 'Export all rules, below the list, saves them to a JSON file with the names of what they refer to. Import rules reads such a file, also in another account: databases, pages, channels, properties, statuses, people and roles are found by their ids, or else by their names.',
        },
        {
          kind: 'text',
          text: 'First a list shows what would be created and, line by line, what does not fit. Either all rules of the file are created or none. Each is on or off as it was.',
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
            'A sentence that says it all, such as "Mira changed Status of Boss fight to Done", so that a phone\'s notification is enough. It [pings](/docs/features/notification-rules#pings) whom the rule chooses.',
            'The title, which opens the page in Notion.',
            'What changed, as old → new.',
            'The fields you chose to display.',
            "Who did it, and when. Times show in each reader's own time zone.",
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
          text: 'Notion announces a page before anybody has typed its title. The card of a new page therefore waits until the page has a title and nobody has edited it for 20 seconds, 2 minutes at most. A card without a title gets it when somebody types one within a day.',
        },
        {
          kind: 'text',
          text: 'With Post at once, below the event in the form, the card does not wait. It changes while the page is being written, until the page has settled.',
        },
      ],
    },
    {
      id: 'preview',
      heading: 'Preview and test',
      blocks: [
        {
          kind: 'text',
          text: 'While you edit a rule, Preview shows its card for the page that was edited last, and Send test posts that card to the channel, marked as a test, up to 20 times a day. The test shows whom the card would ping, and pings nobody. Neither counts.',
        },
      ],
    },
    {
      id: 'try',
      heading: 'What would it have done?',
      blocks: [
        {
          kind: 'text',
          text: 'Try on the last 7 days, below the card in the form, says what the rule would have posted: how many events there were, how many cards, how many on each day in UTC, and each event with its changes or with the reason why it would not have been posted. It needs no saved rule, sends nothing, and does not count.',
        },
        screen('try', 'What a rule would have posted in the last 7 days, by day and event by event'),
        {
          kind: 'text',
          text: 'It judges by the events that Notion has reported and by the pages as they are now. What nobody kept is not guessed: such an event is listed as Not known, with what is missing.',
        },
        {
          kind: 'list',
          items: [
            'A value that changed again later is known only if the deliveries of another rule show it. The same holds for the value before a change.',
            'What Notion computes, such as formulas and rollups, may change without being reported, so a condition on it cannot be judged afterwards.',
            'A page in the trash, in another database or no longer shared is not known.',
            'A rule that a clock fires is judged by its pages alone: see [there](/docs/features/clock-rules#try).',
            'Of very many pages it looks at those that were edited last, for four seconds, and says how far it came. It looks at 5,000 events at most and lists the newest 300.',
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
            ['Settling', 'A page is being written; its card follows.'],
            [
              'Waiting',
              'A card is on its way, or will be tried again after a passing problem, for up to 24 hours. The time of the next attempt is shown next to it.',
            ],
            ['Held', 'The trial has ended or the month’s notifications are used up.'],
            ['The last card failed', 'Discord refused one card; the reason is shown next to it.'],
            [
              'Cannot post',
              'The channel refuses cards. The rule says which permission is missing, at which level, and how to give it. You are also told once in Discord.',
            ],
            [
              'Needs repair',
              'The database, page, property or status that the rule names was deleted in Notion, or is no longer shared.',
            ],
            ['Off', 'The switch is off. Pagewire itself never turns a rule off.'],
          ],
        },
        {
          kind: 'text',
          text: 'After you have granted a permission, press Check again. To fix a rule that needs repair, press Repair: the dialog marks what is gone.',
        },
      ],
    },
    {
      id: 'deliveries',
      heading: 'Recent deliveries',
      blocks: [
        {
          kind: 'text',
          text: 'Click the health of a rule to see what became of every event of what it watches, newest first: what changed and when, where the card is, or why there is none. [Activity](/docs/features/activity) lists the same for all rules together.',
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
            ['Held', 'The trial has ended or the month’s notifications are used up. It is not posted later.'],
            ['Failed', 'Discord refused the card, or a day of attempts failed. Resend sends it again.'],
            ['Not posted', 'The rule does not post this event; the reason is shown below it.'],
          ],
        },
        {
          kind: 'text',
          text: 'Resend posts the card once, as it was first written, and counts as one notification. If Discord’s response to an earlier attempt was lost, the reason says that the card may have been posted; Resend then looks for it in the channel first. A page is listed as “A page” if nothing that the rule watches had changed, because Pagewire then does not read it. Events that were not posted are listed for 30 days.',
        },
      ],
    },
  ],
};
