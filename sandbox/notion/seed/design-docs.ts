import { type DatabaseDraft, options, property } from './draft';

const doc = (
  by: string,
  age: { createdDaysAgo: number; editedHoursAgo: number },
  values: Record<string, unknown>,
  body: string[],
) => ({ by, ...age, values, body });

export const DESIGN_DOCS: DatabaseDraft = {
  name: 'Design docs',
  icon: '📐',
  description: 'How Emberfall should feel, written down.',
  preselected: true,
  properties: [
    property('Title', 'title', { type: 'title' }),
    property('Area', 'aR%3Cx', {
      type: 'select',
      options: options('Design docs area', {
        Combat: 'red',
        World: 'green',
        Story: 'purple',
        Interface: 'blue',
      }),
    }),
    property('Author', 'aU%5Dt', { type: 'people' }),
    property('Review date', 'rV%3Aw', { type: 'date' }),
    property('Attachments', 'aT%7Df', { type: 'files' }),
    property('Summary', 'sM%2Fy', { type: 'rich_text' }),
    property('Approved', 'aP%21v', { type: 'checkbox' }),
    property('Created by', 'cB%40y', { type: 'created_by' }),
  ],
  rows: [
    doc(
      'jonas',
      { createdDaysAgo: 40, editedHoursAgo: 33 },
      {
        Title: 'Boss design: readable telegraphs',
        Area: 'Combat',
        Author: ['jonas'],
        'Review date': -10,
        Summary: 'Every attack says what it is half a second before it lands.',
        Approved: true,
        Attachments: ['https://files.lanternworks.example/telegraphs.pdf'],
      },
      ['A player who dies should know why.', 'Light first, then sound, then the blow.'],
    ),
    doc(
      'ines',
      { createdDaysAgo: 35, editedHoursAgo: 80 },
      {
        Title: 'Lantern upgrades',
        Area: 'Interface',
        Author: ['ines', 'mira'],
        'Review date': 3,
        Summary: 'Four wicks, one choice at a time.',
      },
      ['The screen shows what the light will reach, not a number.'],
    ),
    doc(
      'mira',
      { createdDaysAgo: 33, editedHoursAgo: 120 },
      {
        Title: 'The salt market',
        Area: 'World',
        Author: ['mira'],
        'Review date': 5,
        Summary: 'A town that trades in things the fire left behind.',
      },
      ['Six merchants. None of them lies, all of them leave something out.'],
    ),
    doc(
      'tomas',
      { createdDaysAgo: 28, editedHoursAgo: 150 },
      {
        Title: 'Sound of heat',
        Area: 'World',
        Author: ['tomas'],
        Summary: 'How far away is the fire? Listen.',
      },
      [],
    ),
    doc(
      'mira',
      { createdDaysAgo: 60, editedHoursAgo: 400 },
      {
        Title: 'Ending: who keeps the flame',
        Area: 'Story',
        Author: ['mira'],
        'Review date': -20,
        Approved: true,
        Summary: 'Two endings, the same last line.',
      },
      [],
    ),
    doc(
      'priya',
      { createdDaysAgo: 22, editedHoursAgo: 200 },
      {
        Title: 'Palette: ash, rust, dawn',
        Area: 'World',
        Author: ['priya'],
        'Review date': 8,
        Approved: true,
      },
      [],
    ),
    doc(
      'jonas',
      { createdDaysAgo: 18, editedHoursAgo: 210 },
      { Title: 'Stamina, or why we dropped it', Area: 'Combat', Author: ['jonas'] },
      [],
    ),
    doc(
      'ines',
      { createdDaysAgo: 8, editedHoursAgo: 36 },
      { Title: 'Accessibility: holding versus pressing', Area: 'Interface', Author: ['ines'] },
      [],
    ),
  ],
};
