import { expect, test } from 'vitest';
import { endsOfAddresses } from './words';

test('databases of one name are told apart by the ends of their addresses', () => {
  const address = 'https://www.notion.so/studio/Tasks-1d0f2a9c4b7e4c0f9a5d3e2b1c0d';
  const databases = [
    { id: 'first-0001', name: 'Tasks', url: `${address}9f3a` },
    { id: 'second-0002', name: 'Tasks', url: `${address}77b2?v=0a1b2c3d` },
    { id: 'third-0003', name: 'Tasks', url: null },
    { id: 'fourth-0004', name: 'Bugs', url: `${address}c0de` },
  ];
  expect([...endsOfAddresses(databases)]).toEqual([
    ['first-0001', 'address ends in 9f3a'],
    ['second-0002', 'address ends in 77b2'],
    ['third-0003', 'address ends in 0003'],
  ]);
});
