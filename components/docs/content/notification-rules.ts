import type { DocPage } from './doc-page';

export const notificationRules: DocPage = {
  path: '/docs/features/notification-rules',
  title: 'Notification rules',
  description: 'What a rule watches, when it posts, and what its card says.',
  sections: [
    {
      id: 'events',
      heading: 'Events',
      blocks: [
        {
          kind: 'table',
          columns: ['Event', 'Posts when'],
          rows: [
            ['Page Created', 'a page is added to the database'],
            ['Page Updated', 'at least one watched property has a new value'],
          ],
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
          text: 'Changes that Notion does not report are found within about 15 minutes: see [A card comes late](/docs/troubleshooting#late-card).',
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
      id: 'conditions',
      heading: 'Conditions',
      blocks: [
        {
          kind: 'text',
          text: 'Under Conditions, a rule can ask for more of a page: up to ten conditions on its properties, all or any of which must hold. Each follows new names in Notion.',
        },
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
      id: 'people',
      heading: 'Whose work is posted',
      blocks: [
        {
          kind: 'text',
          text: 'Under People, a rule posts what anyone does, only what some people do, or what anyone but them does. Each choice can also leave out bots and integrations. When a rule leaves an event out because of its author, the log says so.',
        },
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
          text: 'Export all rules, below the list, saves them to a JSON file with the names of what they refer to. Import rules reads such a file, also in another account: databases, channels, properties, statuses, people and roles are found by their ids, or else by their names.',
        },
        {
          kind: 'text',
          text: 'First a list shows what would be created and, line by line, what does not fit. Either all rules of the file are created or none. Each is on or off as it was.',
        },
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
          src: '/docs/card.png',
          alt: 'A status that changed in a database, and the card about it in a channel',
          width: 900,
          height: 968,
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
      id: 'health',
      heading: 'Health',
      blocks: [
        {
          kind: 'text',
          text: 'Each rule shows its health and when it last delivered.',
        },
        {
          kind: 'picture',
          src: '/docs/rules.png',
          alt: 'The list of rules, each drawn as a wire',
          width: 1200,
          height: 750,
        },
        {
          kind: 'table',
          columns: ['Word', 'Meaning'],
          rows: [
            ['Posting, Ready', 'All is well. Ready means that nothing has been posted yet.'],
            ['Settling', 'A new page is being written; its card follows.'],
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
              'The database, a property or a status that the rule names was deleted in Notion.',
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
          text: 'Click the health of a rule to see what became of every event of its database, newest first: what changed and when, where the card is, or why there is none. [Activity](/docs/features/activity) lists the same for all rules together.',
        },
        {
          kind: 'picture',
          src: '/docs/deliveries.png',
          alt: 'The recent deliveries of a rule: cards that were posted, and events that were not, with the reason',
          width: 1200,
          height: 750,
        },
        {
          kind: 'table',
          columns: ['Word', 'Meaning'],
          rows: [
            ['Posted', 'Discord confirmed the card. Open in Discord leads to it.'],
            ['Settling', 'The page is new; its card follows when it has settled.'],
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
