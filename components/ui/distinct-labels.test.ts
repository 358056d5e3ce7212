import { expect, test } from 'vitest';
import { withDistinctLabels } from './distinct-labels';
import { toOptions } from './filter-select';

test('options of one name are told apart by their hints, else by their ids', () => {
  const options = [
    { value: '1001', label: 'Sam', hint: 'sam@one.example' },
    { value: '1002', label: 'Sam', hint: 'sam@two.example' },
    { value: '8881003', label: '@Artists' },
    { value: '8881004', label: '@Artists' },
    { value: '1005', label: 'Kim', hint: 'here' },
    { value: '1006', label: 'Kim', hint: 'here' },
    { value: '1007', label: 'Ines', hint: 'ines@one.example' },
  ];
  expect(withDistinctLabels(options)).toEqual([
    { value: '1001', label: 'Sam (sam@one.example)' },
    { value: '1002', label: 'Sam (sam@two.example)' },
    { value: '8881003', label: '@Artists (id ends in 1003)' },
    { value: '8881004', label: '@Artists (id ends in 1004)' },
    { value: '1005', label: 'Kim (id ends in 1005)', hint: 'here' },
    { value: '1006', label: 'Kim (id ends in 1006)', hint: 'here' },
    { value: '1007', label: 'Ines', hint: 'ines@one.example' },
  ]);
});

test('a filter tells two of one name apart, but not one that is given twice', () => {
  const pairs = [
    ['900000000000000202', '#retro'],
    ['900000000000000101', '#retro'],
    ['900000000000000303', '#art'],
    ['900000000000000303', '#art'],
  ] as const;
  expect(toOptions([...pairs]).map(({ label }) => label)).toEqual([
    '#art',
    '#retro (id ends in 0101)',
    '#retro (id ends in 0202)',
  ]);
});
