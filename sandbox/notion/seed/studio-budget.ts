import { type DatabaseDraft, options, property, status } from './draft';

const cost = (name: string, state: string, amount: number, kind: string) => ({
  by: 'mira',
  createdDaysAgo: 50,
  editedHoursAgo: 500,
  values: { Item: name, Status: state, Amount: amount, Kind: kind },
});

/** Only Mira sees it, and the page picker leaves it unticked, so that it is not shared by accident. */
export const STUDIO_BUDGET: DatabaseDraft = {
  name: 'Studio budget',
  icon: '💰',
  description: 'Private. What things cost us.',
  preselected: false,
  readers: ['mira'],
  properties: [
    property('Item', 'title', { type: 'title' }),
    property(
      'Status',
      'bS%3Ct',
      status('Studio budget', { Planned: 'gray' }, { Ordered: 'blue' }, { Paid: 'green' }),
    ),
    property('Amount', 'aM_t', { type: 'number', format: 'euro' }),
    property('Kind', 'kI%5Bd', {
      type: 'select',
      options: options('Studio budget kind', {
        People: 'purple',
        Software: 'blue',
        Hardware: 'orange',
        Travel: 'green',
      }),
    }),
  ],
  rows: [
    cost('Contract composer, autumn', 'Ordered', 4200, 'People'),
    cost('Two development consoles', 'Paid', 1890, 'Hardware'),
    cost('Trade fair booth', 'Planned', 3500, 'Travel'),
    cost('Motion capture day', 'Planned', 2600, 'People'),
    cost('Crash reporting', 'Paid', 312, 'Software'),
    cost('Localisation, six languages', 'Planned', 9800, 'People'),
    cost('Replacement drawing tablet', 'Paid', 640, 'Hardware'),
    cost('Build machine', 'Ordered', 1450, 'Hardware'),
  ],
};
