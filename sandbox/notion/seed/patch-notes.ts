import { type DatabaseDraft, options, property } from './draft';

const note = (daysAgo: number, values: Record<string, unknown>, body: string[] = []) => ({
  by: 'mira',
  createdDaysAgo: daysAgo,
  editedHoursAgo: daysAgo * 20,
  values,
  body,
});

export const PATCH_NOTES: DatabaseDraft = {
  name: 'Patch notes',
  icon: '📣',
  description: 'What players read.',
  preselected: true,
  properties: [
    property('Headline', 'title', { type: 'title' }),
    property('Version', 'vR%3Cn', { type: 'rich_text' }),
    property('Released', 'rL%3Ed', { type: 'date' }),
    property('Channel', 'cH%5Bl', {
      type: 'select',
      options: options('Patch notes channel', { Stable: 'green', Preview: 'yellow', Internal: 'gray' }),
    }),
    property('Editors', 'eD%5Ds', { type: 'people' }),
    property('Public', 'pU%40b', { type: 'checkbox' }),
    property('Download size', 'dS_m', { type: 'number', format: 'number_with_commas' }),
    property('Post', 'pO%23s', { type: 'url' }),
  ],
  rows: [
    note(
      2,
      {
        Headline: 'The storm update',
        Version: '0.14.2',
        Released: -2,
        Channel: 'Preview',
        Editors: ['mira'],
      },
      ['Ash storms now cross the whole valley.'],
    ),
    note(9, {
      Headline: 'Quieter caves, louder bosses',
      Version: '0.14.1',
      Released: -9,
      Channel: 'Stable',
      Editors: ['mira', 'tomas'],
      Public: true,
      'Download size': 412,
      Post: 'https://lanternworks.example/news/0-14-1',
    }),
    note(16, {
      Headline: 'Salt market, first stalls',
      Version: '0.14.0',
      Released: -16,
      Channel: 'Stable',
      Editors: ['mira'],
      Public: true,
      'Download size': 1830,
    }),
    note(30, {
      Headline: 'Controller support',
      Version: '0.13.8',
      Released: -30,
      Channel: 'Stable',
      Editors: ['jonas'],
      Public: true,
      'Download size': 96,
    }),
    note(37, {
      Headline: 'Save format test',
      Version: '0.13.7',
      Released: -37,
      Channel: 'Internal',
      Editors: ['ines'],
    }),
    note(44, {
      Headline: 'Dodge feels right now',
      Version: '0.13.6',
      Released: -44,
      Channel: 'Stable',
      Public: true,
    }),
    note(58, { Headline: 'First light', Version: '0.13.0', Released: -58, Channel: 'Stable', Public: true }),
    note(1, { Headline: 'Golem arena', Version: '0.15.0', Channel: 'Internal', Editors: ['mira', 'jonas'] }),
  ],
};
