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
          text: 'A rule need not wait until something happens in Notion. Three events in the form are triggered by a clock instead; they need a database to watch:',
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
          text: 'They have the same [conditions](/docs/features/notification-rules#conditions), places, sizes and people as other rules. Pages are checked as they are when the rule looks, so a page that is complete by then is left out if a condition says so.',
        },
      ],
    },
    {
      id: 'date-near',
      heading: 'Date Near',
      blocks: [
        {
          kind: 'text',
          text: 'Choose a date property, how many days before or after the date the rule posts, up to 30, and at what time. “1 day before Due date at 09:00” posts each morning what is due tomorrow.',
        },
        screen('date-near', 'The form of a rule that reminds of what is due tomorrow, with its card'),
        {
          kind: 'list',
          items: [
            'A page gets one card for each date. When the date is moved, the page gets another card for the new date.',
            'For a date with an end, the beginning counts. For a date with a time, only the day counts.',
            'Below the card, Done sets the status to one in the group for complete tasks, and Tomorrow and Next week move the date. To press them, a person must be [linked](/docs/features/account-linking); they can undo the change for an hour. Cards about the time when a page was created or edited have none of these buttons, because Notion sets that time itself.',
          ],
        },
        {
          kind: 'text',
          text: 'To remind the people who work on a page, choose Whoever is in a property below To: each gets a direct message if they have said yes. The recipe Due tomorrow fills that in.',
        },
      ],
    },
    {
      id: 'untouched',
      heading: 'Page Untouched',
      blocks: [
        {
          kind: 'text',
          text: 'Choose for how many days a page must have been unchanged, up to 365, and at what time of day the rule looks. A page is posted once, and again only after somebody has edited it. Any edit counts as a change: of the text or of a property, by a person or by an integration. Without conditions, every page that nobody works on any more is posted at some point; the recipe Stale tasks leaves out complete tasks.',
        },
      ],
    },
    {
      id: 'summary',
      heading: 'Summary',
      blocks: [
        {
          kind: 'text',
          text: 'A summary is one message with the pages that meet the conditions at that time, whether or not they changed. Each is listed with its displayed fields. They are sorted by title or by a property; ten are shown, and a button lists the others, up to 500 pages in all and for 30 days, visible only to the person who presses it. In a channel, its menu opens one of them, with the same actions as in `/notion my-tasks`; direct messages have no menu. If no page meets the conditions, nothing is sent, unless you tick Send it when it is empty too.',
        },
        {
          kind: 'text',
          text: 'The message counts as one notification, however many pages it lists. People who have chosen messages once each morning get it at its own time too, except for a summary each hour: in the morning they are told how many pages the latest one had. A [digest](/docs/features/notification-rules#digests) is different: it tells what has happened since the last one.',
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
            'Times are in the time zone under Settings, which the form names. Workdays are Monday to Friday.',
            'If Pagewire was not running or not connected to Notion at the time, the rule posts later on the same day, but not on another one, except within ten minutes of its time.',
            'Reminders from [quiet hours](/docs/features/notification-rules#quiet-hours) come together afterwards, and a summary shows the pages as they are then, unless the rule posts Also in quiet hours.',
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
          text: 'These events have no author whose work could be left out, and no old value that could have changed. Each reminder is a separate card, posted at once and not in a digest. If you choose another event, the form keeps the settings that both have.',
        },
      ],
    },
    {
      id: 'try',
      heading: 'What would it have done?',
      blocks: [
        {
          kind: 'text',
          text: 'Try on the last 7 days uses the pages as they are now: their current dates, and when each was edited last. If a page was edited since, it is not known whether it met the conditions then, and the list says so. For a summary, only the times are known, not how many pages it would have listed.',
        },
      ],
    },
  ],
};
