/** Why a person's request in chat was not carried out. */
export const problemTexts = {
  not_connected: 'This server is not connected to a Notion workspace. Ask whoever set up Pagewire.',
  plan_over:
    'The Pagewire plan of this server has ended. Ask whoever set up Pagewire to upgrade under Billing.',
  plan_paused:
    'The Pagewire plan of this server is paused. Ask whoever set up Pagewire to continue it under Billing.',
  reconnect:
    'Notion no longer gives Pagewire access. Ask whoever set up Pagewire to connect the workspace again.',
  not_linked:
    'You are not linked to a Notion user yet. Run `/notion link-account`; the administrator then chooses yours.',
  no_databases:
    'No task database is shared with Pagewire. A task database has a Status property; share one in Notion.',
  database_gone: 'That database is not shared with Pagewire, or no longer has a Status property.',
  database_changed:
    'The database changed in Notion since this was shown. Nothing was changed; open it again to see it as it is now.',
  page_moved:
    'The page was moved to another database since this was shown. Nothing was changed; `/notion find` opens it where it is now.',
  page_elsewhere:
    'This button no longer works: its page was moved to another database, or the rule of its card was changed. Nothing was changed.',
  page_gone: 'That page is in the trash, or is no longer shared with Pagewire.',
  no_people_property: 'This database has no property for people, so nobody can be assigned in it.',
  person_gone:
    'Notion no longer knows somebody who would then be assigned. Nothing was changed. Remove them from the page in Notion, choose somebody else, or ask whoever set up Pagewire to link them anew.',
  draft_gone: 'What you wrote is no longer available. Start again with `/notion task`.',
  key_missing: 'Pagewire is changing its encryption keys. Try again in a minute.',
  notion_refused: 'Notion refused this. Nothing was changed.',
  notion_blocked:
    'Notion takes no calls of this connection at the moment. Nothing was changed. Try again in a few hours.',
  notion_silent: 'Notion does not answer. Try again in a minute.',
  notion_pause: 'Notion asks Pagewire to wait a while. Try again later.',
  reminder_gone:
    'The rule of this reminder was deleted, or no longer reminds of this date. Nothing was changed.',
  date_gone: 'The date that this reminder is about no longer exists in Notion. Nothing was changed.',
  no_complete_status: 'No status of this database stands for finished work. Nothing was changed.',
  changed_meanwhile: 'Somebody else changed this in Notion at the same moment. It stays as they left it.',
  action_gone:
    'This button no longer works: the rule of its card was changed or deleted. Nothing was changed.',
  value_refused: 'Notion did not accept this value. Nothing was changed.',
  discord_silent: 'Discord does not answer. Try again in a minute.',
  left_server: 'You are no longer in the server that this message belongs to. Nothing was changed.',
  comments_forbidden:
    'Notion does not let Pagewire write comments. Whoever runs Pagewire can tick the capability “Insert comments” for its connection in Notion’s developer portal.',
  maybe_commented: 'Notion did not confirm the comment. Look at the page before you write it again.',
  undo_gone: 'This can no longer be undone. Undo works for an hour.',
  undo_done: 'This has already been undone.',
  undo_changed: 'Somebody has changed it in Notion since. Nothing was undone.',
  maybe_changed: 'Notion did not confirm the change. Look at the page before you try again.',
  maybe_created: 'Notion did not confirm the task. Look there before you create it again.',
};

/** What a person reads in a direct message after Discord has stopped waiting for the answer to their request. */
export const lateTexts = {
  request: (channelId: string | null) =>
    `Pagewire could not answer your request${channelId ? ` in <#${channelId}>` : ''} in time.`,
  done: 'It was carried out.',
  notDone: 'Nothing was changed. Try again.',
};
