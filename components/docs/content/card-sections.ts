import type { DocPage } from './doc-page';

/** How a rule's cards are posted: one by one or one for each page, in one line, counted, or together later. */
export const cardSections: DocPage['sections'] = [
  {
    id: 'one-card',
    heading: 'One card for each page',
    blocks: [
      {
        kind: 'text',
        text: 'Under More, Cards says whether each event has its own card, or each page has one card, which is edited and always shows the page as it is now.',
      },
      {
        kind: 'table',
        columns: ['Cards', 'What later events do'],
        rows: [
          ['One for each event', 'each is posted as a new card'],
          ['One for each page, with a thread', 'each edits the card and adds a line to its thread'],
          ['One for each page, without a thread', 'each edits the card; nobody is pinged'],
        ],
      },
      {
        kind: 'list',
        items: [
          'The thread is made with its first line, and keeps the title that the page has at that time.',
          'The card and the first line of its thread count as notifications. Edits and later lines do not.',
          'If there can be no thread, because there are too many, the bot may not make one, or the channel does not allow threads, the events appear on the card only, and the log says why. A thread that somebody deletes is not made again.',
          'When a page goes to the trash, its card says so; when it comes back, the card shows the page again.',
          'If somebody deletes the card in Discord, the next event posts a new one. If nothing was posted about a page for a week, the next event does so too, and the old card becomes a link to it.',
        ],
      },
    ],
  },
  {
    id: 'size',
    heading: 'One line',
    blocks: [
      {
        kind: 'text',
        text: 'Under More, a card can be one line: who did what, with a link to the page. It is meant for channels that are read on phones, so it has no fields and no buttons, which would take more room than the line. `/notion my-tasks` and `/notion find` have the same actions. It pings the same people as the full card. A direct message of one line keeps its buttons.',
      },
    ],
  },
  {
    id: 'floods',
    heading: 'Floods',
    blocks: [
      {
        kind: 'text',
        text: 'When somebody imports hundreds of pages, the first ten cards of a rule within five minutes are posted. One card counts the rest, as in “and 290 more”. Its button lists them, visible only to the person who presses it. It keeps counting until no further card has come for five minutes.',
      },
      {
        kind: 'list',
        items: [
          'The number is brought up to date at most every ten seconds. The card does not count as a notification, and pings nobody.',
          'The log and Activity list every page, with a link to the card that counts it. The button lists the first 1,000, for 30 days.',
          'If somebody deletes the card in Discord, it is posted again when there is more to count.',
          'If a rule has one card for each page, the first ten new pages get theirs at once, and each of the others when the next thing happens to it.',
          'Each rule counts separately, in each channel. This is on for new rules unless you untick it under More, and off for older rules until you tick it.',
        ],
      },
    ],
  },
  {
    id: 'digests',
    heading: 'Digests',
    blocks: [
      {
        kind: 'text',
        text: 'Under More, a rule can post a digest each hour, day, workday or week instead of each card at once. A digest is one message with everything that the rule has found since the last one. If it has found nothing, none is sent.',
      },
      {
        kind: 'list',
        items: [
          'Each page is listed once, with its first and its latest value. Changes that were undone meanwhile are left out.',
          'Pages are grouped by status, if they have one. Ten are listed; the button Show more lists the others, visible only to the person who presses it, for 30 days.',
          'It pings everybody whom the cards would have pinged, once.',
          'It counts as one notification. What its button lists does not count.',
          'Times are those of the time zone under Settings. A digest each hour comes on the hour; workdays are Monday to Friday.',
          'A digest that could not be sent in time, because Pagewire was not running, comes as soon as it runs.',
        ],
      },
      {
        kind: 'text',
        text: 'The log says which digest each change is waiting for, and links to the message afterwards. If you edit the rule, the waiting changes are posted at its new time and place; if it writes to people from then on, they are still posted in the channel that they were found for. If the rule is off when its digest is due, they are dropped, and the log says so. If you delete the rule, they are deleted with it.',
      },
    ],
  },
  {
    id: 'people',
    heading: 'People instead of channels',
    blocks: [
      {
        kind: 'text',
        text: 'A rule can write to one linked person, or to the people in a people property of the page, such as its assignees. Each of them gets a direct message. A rule for one person tells them about every page that it chooses.',
      },
      {
        kind: 'list',
        items: [
          'Nobody gets messages before they have said yes: with `/notion notify`, or with the button below the message that tells them about their link. They decide separately for each account that has linked them. Until then the log lists them as not asked for.',
          'Nobody is told about their own work.',
          'Everybody can choose to get the messages together each morning at nine, in the account’s time zone, and can stop them with the button below each message. Messages from quiet hours come together as one message after them.',
          'A rule to people can have digests too. Whoever chose the morning gets them in the morning, or at the rule’s time if that is later. What several rules tell a person at the same time comes as one message.',
          'A new page is told once it has settled. Each message has a link to the page and the buttons that you choose for its rule. Without a choice it has no others, even for a task.',
          'With one card for each page, the message is edited whenever there is news about the page, without a thread. If the person has deleted it, or there was no news for a week, a new message is sent. If the rule counts floods, messages beyond ten within five minutes come together.',
          'Each message counts as one notification; edits do not count. A digest counts once.',
          'Discord limits how fast a bot may start conversations: at first ten people can be written to at once, and then one new person every 15 seconds.',
          'If Discord accepts no messages for a person, or they have left the server, the log and Accounts say so, and they get no further messages until they run `/notion notify`. Those who could not be written to only because the bot was removed from the server get messages again once it is installed there again.',
        ],
      },
      {
        kind: 'text',
        text: 'Up to a hundred people of a property get messages. Tests are sent to channels only; the preview shows what people get. For each change the log lists whom it concerned and the outcome. A failed message cannot be sent again by hand.',
      },
    ],
  },
  {
    id: 'quiet-hours',
    heading: 'Quiet hours',
    blocks: [
      {
        kind: 'text',
        text: 'Under Settings, an account can have quiet hours on certain days. They may last past midnight, and belong to the day on which they begin. Cards that fall into them wait, and come as one digest for each rule afterwards; a digest that falls into them comes when they end. A rule that posts Also in quiet hours does not wait. Existing cards are still updated, which makes no sound.',
      },
      {
        kind: 'text',
        text: 'When clocks change, nothing is lost or told twice. A digest at a time that the clock skips comes later by as much as the clock is put forward; at a time that it shows twice, it comes the first time. Quiet hours end the last time that the clock shows their end.',
      },
    ],
  },
  {
    id: 'forums',
    heading: 'Forums and media channels',
    blocks: [
      {
        kind: 'text',
        text: 'In a forum or a media channel a rule makes one post for each page. The post gets the title that the page has at that time, and its first message always shows the page as it is now. Later events are replies in the post. Under More you choose what a reply is:',
      },
      {
        kind: 'table',
        columns: ['Replies', 'Each later event is'],
        rows: [
          ['A whole card', 'a card with what changed, without buttons: those are on the first message'],
          ['One line', 'a line that says what happened'],
          ['One silent line', 'the same line, which notifies and pings nobody'],
        ],
      },
      {
        kind: 'list',
        items: [
          'The form offers which status, select or multi-select property gives a post its tags. A value becomes the tag of the same name; capitals do not matter, and a post has at most five tags. Pagewire creates no tags, and sets a tag for moderators only if the bot may manage threads. Tags that people give a post stay.',
          'If the forum requires a tag on every post, pages without one are not posted. The log says so, and the next event tries again.',
          'The post is closed when its page’s status is in the group Complete, and reopened when it no longer is. Closed posts stay readable.',
          'The post counts as a notification. Replies and edits do not.',
          'When a page is in the trash, the first message says so. If somebody deletes a post, or its first message, the next event makes a new one, and the log says why.',
          'Nothing can be posted in a locked post; the log says so until somebody unlocks or deletes it. A post that was archived by hand is reopened by the next event.',
          'Digests, summaries, missed changes and the card that counts a flood are posts of their own. They have no tag, or the first one that the bot can set if the forum requires a tag.',
          'The bot needs Send Messages to make posts and Send Messages in Threads to reply. When a server has as many active threads as Discord allows, posts fail with that reason.',
        ],
      },
    ],
  },
];
