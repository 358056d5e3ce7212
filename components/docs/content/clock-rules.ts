import { type DocPage, screen } from './doc-page';

export const clockRules: DocPage = {
  path: '/docs/features/clock-rules',
  title: 'Rules by the clock',
  description: 'Reminders of dates, pages that nobody touches, and lists at certain times.',
  sections: [
    {
      id: 'events',
      heading: 'What a clock can tell',
      blocks: [
        {
          kind: 'text',
          text: 'A rule need not wait until something happens in Notion. Three events of the form come from a clock instead, for a database as what the rule watches:',
        },
        {
          kind: 'table',
          columns: ['Event', 'Posts'],
          rows: [
            ['Date Near', 'a card for each page whose date is so many days away, or so many days ago'],
            ['Page Untouched', 'a card for each page that nobody has changed for so many days'],
            ['Summary', 'a list of the pages that meet the conditions, each hour, day, workday or week'],
          ],
        },
        {
          kind: 'text',
          text: 'They have the same [conditions](/docs/features/notification-rules#conditions), places, sizes and people as other rules. The pages are held to the conditions as they are when the rule looks, so a page that is complete by then is left out if a condition says so.',
        },
      ],
    },
    {
      id: 'date-near',
      heading: 'Date Near',
      blocks: [
        {
          kind: 'text',
          text: 'Choose a date of the database, how many days before or after it the rule posts, up to 30, and at what time. “1 day before Due date at 09:00” posts each morning what is due tomorrow.',
        },
        screen('date-near', 'The form of a rule that reminds of what is due tomorrow, with its card'),
        {
          kind: 'list',
          items: [
            'A page has one card for each date. When the date is moved, the page has another one for the new date.',
            'A date that has an end counts by its beginning. A date with a time counts by its day.',
            'Below the card, Done sets the status to one in the group for what is complete, and Tomorrow and Next week move the date. Whoever presses them must be [linked](/docs/features/account-linking), and can undo it for an hour. A time at which Notion itself says that a page was made or edited cannot be moved, so such a card has no such buttons.',
          ],
        },
        {
          kind: 'text',
          text: 'To remind whoever works on a page, choose Whoever is in a property below To: each gets a direct message once they have said yes. The recipe Due tomorrow fills that in.',
        },
      ],
    },
    {
      id: 'untouched',
      heading: 'Page Untouched',
      blocks: [
        {
          kind: 'text',
          text: 'Choose for how many days nothing was changed, up to 365, and at what time of day the rule looks. A page is posted once, until somebody edits it. Any edit counts as a change: of the text, of a property, by a person or by an integration. Without conditions every page that nobody works on any more is posted one day; the recipe Stale tasks leaves out what is complete.',
        },
      ],
    },
    {
      id: 'summary',
      heading: 'Summary',
      blocks: [
        {
          kind: 'text',
          text: 'A summary is one message with the pages that meet the conditions at that time, whether or not they changed. Each stands there with its displayed fields. They are sorted by their titles, or by a property; ten are shown, and a button tells the others to whoever presses it. The menu opens one of them, with the actions that `/notion my-tasks` has. If no page meets them, nothing is sent, unless you tick Send it when it is empty too.',
        },
        {
          kind: 'text',
          text: 'The message counts as one notification, however many pages it lists. A [digest](/docs/features/notification-rules#digests) is something else: it tells what has happened since the last one.',
        },
      ],
    },
    {
      id: 'times',
      heading: 'Times',
      blocks: [
        {
          kind: 'list',
          items: [
            'Times are those of the time zone under Settings; the form names it. Workdays are Monday to Friday.',
            'A time that was missed, because Pagewire was not running, is made up for once on the same day, and not after it.',
            'What is found in [quiet hours](/docs/features/notification-rules#quiet-hours) is told together after them, and a summary shows the pages as they are then, unless the rule posts Also in quiet hours.',
            'When clocks change, nothing is lost or told twice.',
          ],
        },
      ],
    },
    {
      id: 'without',
      heading: 'What such rules do not have',
      blocks: [
        {
          kind: 'text',
          text: 'Nobody has done anything, so there is nobody whose work could be left out, and no old value that could have changed. They post each card at once, not in a digest, and a card of its own for each page. If you choose another event, the form keeps what both have.',
        },
      ],
    },
    {
      id: 'try',
      heading: 'What would it have done?',
      blocks: [
        {
          kind: 'text',
          text: 'Try on the last 7 days goes by the pages as they are now: by their present dates, and by when each was edited last. If a page was edited since, whether it met the conditions then is not known, and it is listed so. Of a summary it is known when it would have come, and not how many pages it would have had.',
        },
      ],
    },
  ],
};
