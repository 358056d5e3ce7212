/** The descriptions that Discord shows while somebody types a command; at most 100 characters each. */
export const commandTexts = {
  notion: 'Notion in this server',
  task: 'Create a task in Notion',
  taskDatabase: 'Where, when there are several task databases',
  myTasks: 'Your open tasks, soonest due first',
  find: 'Find pages by their title',
  findTitle: 'A part of the title',
  linkAccount: 'Ask to be linked to your Notion user',
  notify: 'Direct messages about pages that concern you',
  notifyMode: 'What you want; without it, what you have now',
  notifyModes: { on: 'Each at once', digest: 'Together each morning', off: 'None' },
  help: 'What Pagewire does here',
};
