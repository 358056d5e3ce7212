import type { DocPage } from './doc-page';

/** How a rule's cards are posted: one by one or one for each page, in one line, counted, or together later. */
export const cardSections: DocPage['sections'] = [
  {
    id: 'one-card',
    heading: 'One card for each page',
    blocks: [
      {
        kind: 'text',
        text: 'Under More, Cards says whether each event has a card, or each page one that is edited and always shows the page as it is now.',
      },
      {
        kind: 'table',
        columns: ['Cards', 'What later events do'],
        rows: [
          ['One for each event', 'each is posted as a card of its own'],
          ['One for each page, with a thread', 'each edits the card and is a line in its thread'],
          ['One for each page, without a thread', 'each edits the card; nobody is pinged'],
        ],
      },
      {
        kind: 'list',
        items: [
          'The thread is made with its first line, and has the title that the page has then.',
          'The card and the first line of its thread count as notifications. Edits and later lines do not.',
          'If Discord gives no thread, because there are too many, the bot may not make one, or the channel has none, the events are on the card only, and the log says why. A thread that somebody deletes is not made again.',
          'A page that goes to the trash says so on its card, and one that comes back is shown again.',
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
        text: 'Under More, a card can be one line: who did what, with a link to the page. It is meant for channels that are read on phones, and so it has no fields and no buttons, which would take more room than the line. `/notion my-tasks` and `/notion find` have the same actions. It pings whom the full card would.',
      },
    ],
  },
  {
    id: 'floods',
    heading: 'Floods',
    blocks: [
      {
        kind: 'text',
        text: 'When somebody imports hundreds of pages, the first ten cards of a rule within five minutes are posted. One card counts the rest, as in “and 290 more”, and lists them behind a button that answers only whoever presses it. It counts on until no card came for five minutes.',
      },
      {
        kind: 'list',
        items: [
          'The number is brought up to date at most every ten seconds. The card counts as one notification, however often its number changes, and pings nobody.',
          'The log and Activity list every page, with a link to the card that counts it. The button lists the first 1,000, for 30 days.',
          'If somebody deletes the card in Discord, it is posted anew when there is more to count, and counts as another notification.',
          'Of a rule with one card for each page, the first ten new pages have theirs at once, and each of the others when the next thing happens to it.',
          'Each rule counts for itself, in each channel. New rules do so unless you untick it under More; rules that were made before do it once you tick it.',
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
        text: 'Under More, a rule can post a digest each hour, day, workday or week instead of each card at once. A digest is one message with what the rule has found since the last one. If it has found nothing, none is sent.',
      },
      {
        kind: 'list',
        items: [
          'Each page stands there once, with the value that it had at first and the one that it has now. What was undone meanwhile is left out.',
          'Pages stand under their statuses, if they have any. Ten are named; the button Show more tells the others to whoever presses it, and to nobody else. It does so for 30 days.',
          'It pings everybody once whom the cards would have pinged.',
          'It counts as one notification. What its button tells does not count.',
          'Times are those of the time zone under Settings. A digest each hour comes on the hour; workdays are Monday to Friday.',
          'A digest that could not be sent in time, because Pagewire was not running, comes as soon as it runs.',
        ],
      },
      {
        kind: 'text',
        text: 'The log says of each change for which digest it waits, and links to the message afterwards. If you edit the rule, what waits comes when and where the rule posts then. If the rule is off at the time of its digest, what waits is dropped, and the log says so. If you delete the rule, what waits goes with it.',
      },
    ],
  },
  {
    id: 'people',
    heading: 'People instead of channels',
    blocks: [
      {
        kind: 'text',
        text: 'A rule can write to one linked person, or to whoever stands in a people property of the page, such as its assignee. Each gets a direct message of their own. A rule for one person concerns that person by the pages that it chooses.',
      },
      {
        kind: 'list',
        items: [
          'Nobody is written to before they have said yes: with `/notion notify`, or with the button below the message that tells them of their link. They say so for each account that has linked them. Until then the log counts them as not asked for.',
          'Nobody is told of what they did themselves.',
          'Each can have the messages together each morning at nine, by the time zone of the account, and can stop them with the button below each message. What quiet hours hold back comes as one message after them.',
          'A new page is told once it is written. Cards with buttons for tasks stay in channels; a message has a link to the page.',
          'With one card for each page, the message is edited whenever something is told about the page, without a thread. If the person deleted it, or nothing was told for a week, the next one is posted anew. If a flood is to be counted, more than ten messages of a rule to a person within five minutes come together.',
          'Each message counts as one notification, an edit as none. A digest counts once.',
          'Discord limits how fast a bot may begin conversations: ten people are written to at once, and then one each 15 seconds, the first time.',
          'If Discord takes no messages to somebody, or they have left the server, the log and Accounts say so once, and they are not written to again until they choose `/notion notify`.',
        ],
      },
      {
        kind: 'text',
        text: 'Up to a hundred people of a property are written to. A test is sent to channels only; the preview shows what people get. The log lists for each change whom it concerned and what became of it. A message that failed is not sent again by hand.',
      },
    ],
  },
  {
    id: 'quiet-hours',
    heading: 'Quiet hours',
    blocks: [
      {
        kind: 'text',
        text: 'Under Settings, an account can have quiet hours on certain days. They may last over midnight, and belong to the day on which they begin. What would be posted in them waits, and comes as one digest for each rule afterwards. A rule that posts Also in quiet hours does not wait. Cards that are posted are still brought up to date, which makes no sound.',
      },
      {
        kind: 'text',
        text: 'When clocks change, nothing is lost or told twice. A digest at a time that the clock skips comes as much later as the clock is put forward; at a time that it shows twice, it comes the first time. Quiet hours end the last time that the clock shows their end.',
      },
    ],
  },
  {
    id: 'forums',
    heading: 'Forums and media channels',
    blocks: [
      {
        kind: 'text',
        text: 'In a forum or a media channel a rule makes one post for each page. The post is called as the page is when it is made, and its first message always shows the page as it is now. Whatever happens later is a reply in the post. Under More you choose what a reply is:',
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
          'The form offers which status, select or multi-select property gives a post its tags. A value becomes the tag of the same name, whatever its capitals; a post has five tags at most. Pagewire makes no tags, and sets one that is for moderators only if the bot may manage threads.',
          'If the forum requires a tag on every post, a page that has none is not posted, and neither are digests. The log says so, and the next event tries again.',
          'The post is closed when the status of its page is in the group Complete, and opened when it is not any more. Closed posts stay readable.',
          'The post counts as a notification. Replies and edits do not.',
          'A page in the trash says so on its first message. If somebody deletes a post, or its first message, the next event makes a new one, and the log says why.',
          'In a locked post nothing can be said; the log says so until somebody unlocks or deletes it. A post that was archived by hand is opened by the next event.',
          'A digest, what was missed and the card that counts a flood are posts of their own, named after the database.',
          'The bot needs Send Messages to make posts and Send Messages in Threads to reply. When a server has as many active threads as Discord allows, posts fail with that reason.',
        ],
      },
    ],
  },
];
