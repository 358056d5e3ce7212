/** What the forms that a card's buttons open say, and what the bot says about an entry. */
export const entryTexts = {
  replaces: 'This replaces what is there.',
  empties: 'This replaces what is there. Empty removes it.',
  emptiesNumber: (unit: string) => `This replaces what is there. Empty removes it. (${unit})`,
  emptiesDate: 'A date like 2026-11-30. A time and an end move with it; empty removes everything.',
  typeOption: 'The name of an option',
  typeOptionOrNone: 'The name of an option. Empty removes it.',
  typeOptions:
    'The names of options, with commas between them. They replace what is there. Empty removes it.',
  yes: 'Yes',
  no: 'No',
  notANumber: (property: string, given: string) =>
    `${property}: "${given}" is not a number like 12.5. Nothing was changed.`,
  notADate: (property: string, given: string) =>
    `${property}: "${given}" is not a date like 2026-11-30. Nothing was changed.`,
  noOption: (property: string, given: string) => `${property} has no option "${given}". Nothing was changed.`,
  optionGone: (property: string) =>
    `${property}: what you chose was deleted in Notion meanwhile. Nothing was changed.`,
  titleNeeded: 'A page needs a title. Nothing was changed.',
  notLinked: (mentions: string) =>
    `${mentions}: not linked to Notion, so nothing was changed. They can run \`/notion link-account\`.`,
  nobodyChosen: 'Nobody was chosen. Nothing was changed.',
  nothingWritten: 'The comment was empty. Nothing was written.',
  commented: (page: string) => `Your comment is on ${page}.`,
};
