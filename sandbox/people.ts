/** The sandbox's cast: a small game studio, Lantern Works, and one outsider. */
export interface Person {
  key: 'mira' | 'jonas' | 'vera';
  role: 'account holder' | 'teammate' | 'stranger';
  name: string;
  /** Discord user id. */
  discordId: string;
  discordUsername: string;
  email: string;
  /** Notion user id; the outsider has a Notion account in a workspace of her own. */
  notionId: string;
  notionName: string;
}

export const PEOPLE: readonly Person[] = [
  {
    key: 'mira',
    role: 'account holder',
    name: 'Mira Castellan',
    discordId: '208917000000000101',
    discordUsername: 'mira',
    email: 'mira@lanternworks.example',
    notionId: '5b1f0c3a-1111-4d0e-9a01-000000000101',
    notionName: 'Mira Castellan',
  },
  {
    key: 'jonas',
    role: 'teammate',
    name: 'Jonas Brandt',
    discordId: '208917000000000102',
    discordUsername: 'jonas_b',
    email: 'jonas@lanternworks.example',
    notionId: '5b1f0c3a-1111-4d0e-9a01-000000000102',
    notionName: 'Jonas Brandt',
  },
  {
    key: 'vera',
    role: 'stranger',
    name: 'Vera Lindqvist',
    discordId: '208917000000000103',
    discordUsername: 'vera.l',
    email: 'vera@elsewhere.example',
    notionId: '5b1f0c3a-2222-4d0e-9a01-000000000103',
    notionName: 'Vera Lindqvist',
  },
];
