/** One kind of stored data, as the page "Privacy" lists it. */
interface Kept {
  what: string;
  howLong: string;
  /** Which part of it is encrypted, in words; absent when none is. */
  encrypted?: string;
  /** The tables that hold it, with their encrypted columns. */
  tables: Record<string, string[]>;
}

const ACCOUNT = 'Until the account is deleted';
const WORKSPACE = 'Until the workspace is disconnected';
const SERVER = 'Until the server is disconnected';

/** Everything that is stored, table by table. A test compares it with the database. */
export const KEPT_DATA: Kept[] = [
  {
    what: 'You: your Discord id, name, e-mail address and picture, your time zone, quiet hours and language, your plan, and the ids of your customer and subscription at Stripe',
    howLong: ACCOUNT,
    tables: { account: [] },
  },
  {
    what: 'Your sign-ins: the tokens of the sign-in service',
    howLong: 'Until you sign out, or 31 days after the last visit',
    encrypted: 'The tokens',
    tables: { auth_session: ['sealed_tokens'] },
  },
  {
    what: 'A connection in progress: hashes of the secrets that prove it is yours, and the page you started from',
    howLong: 'Until it is completed, or at most a day',
    tables: { oauth_state: [] },
  },
  {
    what: 'Your Discord server: its name, its roles, its channels with what the bot may do there, and who connected it',
    howLong: SERVER,
    tables: { discord_server: [] },
  },
  {
    what: 'Your Notion workspace: its name, who connected it, and the tokens that give access to it',
    howLong: WORKSPACE,
    encrypted: 'The tokens',
    tables: { notion_workspace: ['sealed_tokens'] },
  },
  {
    what: 'The databases that you shared: names, properties and options, and the last known names of deleted ones that a rule refers to',
    howLong: 'Until they are no longer shared, or the workspace is disconnected',
    tables: { notion_database: [] },
  },
  {
    what: 'The pages that rules watch: their titles, icons and links',
    howLong: 'Until no rule watches them, or the workspace is disconnected',
    tables: { notion_page: [] },
  },
  {
    what: 'What pages, blocks and databases are in, by their ids, where a rule watches everything below a page',
    howLong: 'One day',
    tables: { notion_parent: [] },
  },
  {
    what: 'The members of the workspace, and guests whom a rule names: names, e-mail addresses and where their pictures are',
    howLong: 'Until they leave, no rule names the guest any more, or the workspace is disconnected',
    tables: { notion_user: [] },
  },
  {
    what: 'Your rules, with the ids of the people and roles that they name, and the values that their conditions compare with',
    howLong: 'Until you delete them',
    tables: { rule: [] },
  },
  {
    what: 'What Notion reported: which page, which properties, who and when, without any value',
    howLong: '30 days',
    tables: { notion_event: [] },
  },
  {
    what: 'The last known values of properties that rules watch, display or name in conditions, and titles for rules that watch more than databases or are about the trash: 300 characters of each and a hash of the whole',
    howLong:
      'Until the page is gone or has been in the trash for about a day, no rule watches its database or more than databases, or the workspace is disconnected',
    encrypted: 'The values',
    tables: { page_snapshot: ['sealed_values'] },
  },
  {
    what: 'What a rule did not post: when, which page and why',
    howLong: '30 days',
    encrypted: 'The title and link of the page',
    tables: { decision: ['sealed_summary'] },
  },
  {
    what: 'The title, link and changes of each delivery, up to 2,000 characters of the comment that it is about, and the card or direct message that was not sent',
    howLong:
      '30 days, or until its rule is deleted or its server or workspace disconnected. The content of a message is removed as soon as it is sent',
    encrypted: 'All of it',
    tables: { decision: ['sealed_summary'], message: ['sealed_body'] },
  },
  {
    what: 'Each delivery: when, which page, which channel and message, and what became of it. Of each direct message: when, and what became of it',
    howLong: '13 to 14 months: whole months are deleted. The usage of a period is counted from them',
    tables: { message: [], card: [] },
  },
  {
    what: 'Which deliveries one card counted because too many came at once: under which rule, in which channel and message, and when',
    howLong: '31 days, or until the rule is deleted',
    tables: { flood: [] },
  },
  {
    what: 'When a rule posted its last ten cards in a channel',
    howLong: 'A day, or until the rule is deleted',
    tables: { posting_pace: [] },
  },
  {
    what: 'Where the one card of a page stands, if its rule keeps one: the ids of the page, the message and the thread, when something was last posted about it, and in a forum whether the post is closed and a fingerprint of its tags',
    howLong: 'Until the rule is deleted',
    tables: { living_card: [] },
  },
  {
    what: 'How many messages each period had, with the keyed hash of a trial that it shares with another account',
    howLong: ACCOUNT,
    tables: { usage_period: [] },
  },
  {
    what: 'Which events Stripe has sent: id, kind and time',
    howLong: '30 days',
    tables: { stripe_event: [] },
  },
  {
    what: 'Who is who: Discord and Notion ids that are linked, with their names and pictures; which direct messages they have asked for, and whether Discord takes none to them',
    howLong: 'Until the link is removed, or the workspace is disconnected',
    tables: { account_link: [] },
  },
  {
    what: 'Requests to be linked: the Discord id, names and picture',
    howLong: 'Until they are answered and the person is told, or the server or workspace is disconnected',
    tables: { link_request: [] },
  },
  {
    what: 'Commands and buttons in Discord: id and time, and what somebody typed into the form for a new task',
    howLong: '2 days',
    encrypted: 'What was typed',
    tables: { chat_interaction: ['sealed_draft'] },
  },
  {
    what: 'Whom the bot has written to: the Discord ids of the person and of their direct messages with the bot',
    howLong: '30 days after the last message',
    tables: { conversation: [] },
  },
  {
    what: 'What became of each change for each person whom a rule writes to: the Discord id, under which rule, about which page, and when',
    howLong: '31 days, or until the rule is deleted',
    tables: { letter: [] },
  },
  {
    what: 'Which rules have found something that they tell later, and when they do',
    howLong: 'Until it is told',
    tables: { digest: [] },
  },
  {
    what: 'When rules that a clock fires are due next, and of which pages each has reminded: the ids, and the date or the time of the last edit',
    howLong:
      'Reminders of a date for 31 days, those of a page that nobody edits until it is edited, or until the rule is deleted',
    tables: { rule_clock: [], reminder: [] },
  },
  {
    what: 'The pages of a long summary: their titles, links and shown values',
    howLong: '31 days, or until the rule is deleted',
    encrypted: 'Titles, links and values',
    tables: { summary_list: ['sealed_pages'] },
  },
  {
    what: 'What somebody changed in Notion from Discord: which page and property, who, and in which channel',
    howLong: '2 days',
    tables: { page_write: [] },
  },
  {
    what: 'From which message in Discord a task was made: the ids of the page, the message, its channel and who wrote it, whether the task is completed, and which reply says so',
    howLong:
      '13 months after it was last completed or reopened, or until the server or workspace is disconnected',
    tables: { task_echo: [] },
  },
  {
    what: 'What somebody changed with a button that can be undone: who did it, which property of which page, and its values before and after',
    howLong: 'One day: an hour to undo it, and it is deleted in the night after',
    encrypted: 'The page, the property and its values',
    tables: { kept_change: ['sealed_change'] },
  },
  {
    what: 'What was connected, linked and changed in the account, and when',
    howLong: '13 months',
    tables: { audit_entry: [] },
  },
  {
    what: 'Channels that refuse messages, and when a channel was told that messages are held back',
    howLong:
      'Until the channel takes messages again, or 30 days after the last refusal or notice once no rule posts there',
    tables: { channel_problem: [], held_notice: [] },
  },
  {
    what: 'Limits that Discord and Notion set, by channel and connection',
    howLong: 'A day after they end',
    tables: { rate_limit: [] },
  },
  {
    what: 'Pending work: the ids of the pages, channels, databases and people that it is about',
    howLong: 'Until it is done. Work that is given up after weeks of failures: another 30 days',
    encrypted:
      'Tokens, what somebody typed in Discord, and the server and Stripe customer of a deleted account',
    tables: { page_turn: [], channel_turn: [], _private_jobs: [], _private_job_queues: [] },
  },
  {
    what: 'How often the account made calls in the last minute, and which call it is waiting for',
    howLong: 'Until the night after, or until the account is deleted',
    tables: { call_count: [], call_claim: [] },
  },
  {
    what: 'How many test messages a person sent on a day, under a keyed hash of the Discord user’s id',
    howLong: 'Until the next day, also when the account is deleted',
    tables: { test_day: [] },
  },
  {
    what: 'That the bot is joining or leaving a server right now, under a keyed hash of the server’s id',
    howLong: 'Until it has, at most a day',
    tables: { call_claim: [] },
  },
  {
    what: 'Who asked for a server that another account holds: the Discord name, and what became of it',
    howLong: '30 days after the last answer, or until the server moves or is disconnected',
    tables: { server_takeover: [] },
  },
  {
    what: 'That a person whose account was deleted had asked for a server, under a keyed hash of the ids of both people and the server',
    howLong: '31 days after the last answer',
    tables: { rate_limit: [] },
  },
  {
    what: 'Each trial, under keyed hashes of the ids of the Discord user, the server and the workspace: when it ended, what it used, and when the account was deleted. A trial is granted once',
    howLong: 'Always',
    tables: { trial: [] },
  },
  {
    what: 'The key of these hashes',
    howLong: 'Always',
    encrypted: 'All of it',
    tables: { hash_key: ['sealed_key'] },
  },
];

/** Tables that hold no data about anybody. */
export const ABOUT_NOBODY = [
  '_prisma_migrations',
  '_private_known_crontabs',
  '_private_tasks',
  'invalid_answer',
  'migrations',
  'proven_webhook_token',
  'seen_clock',
  'send_slot',
  'worker_process',
];
