import { type DatabaseDraft, options, property, status } from './draft';

const stall = (name: string, state: string, dueInDays: number, kind: string) => ({
  by: 'vera',
  createdDaysAgo: 20,
  editedHoursAgo: 48,
  values: { Task: name, Status: state, Due: dueInDays, Kind: kind, Owner: ['vera'] },
});

/** The other workspace's only database. Nobody at Lantern Works may ever see it. */
export const NIGHT_MARKET: DatabaseDraft = {
  name: 'Night market',
  icon: '🕯️',
  description: 'Candles, moths, and where to sell them.',
  preselected: true,
  properties: [
    property('Task', 'title', { type: 'title' }),
    property(
      'Status',
      'vS%3Cn',
      status('Night market', { Later: 'default' }, { Now: 'pink' }, { 'All done': 'green' }),
    ),
    property('Owner', 'vO%5Br', { type: 'people' }),
    property('Due', 'vD%40e', { type: 'date' }),
    property('Kind', 'vK%7Dd', {
      type: 'select',
      options: options('Night market kind', { Craft: 'orange', Stall: 'brown', Letters: 'blue' }),
    }),
  ],
  rows: [
    stall('Pour forty beeswax candles', 'Now', 3, 'Craft'),
    stall('Ask the council for the corner pitch', 'Now', 1, 'Letters'),
    stall('Mend the striped awning', 'Later', 9, 'Stall'),
    stall('Moth-wing labels, second print', 'Later', 12, 'Craft'),
    stall('Price list in two languages', 'All done', -2, 'Letters'),
    stall('Borrow a longer table', 'All done', -5, 'Stall'),
    stall('Test the storm lanterns', 'Later', 6, 'Craft'),
    stall('Answer the moth society', 'Later', 15, 'Letters'),
  ],
};
