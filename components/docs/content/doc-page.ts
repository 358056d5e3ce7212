/** Text with `code` in backticks and [links](/docs). */
export type Inline = string;

export type Block =
  | { kind: 'text'; text: Inline }
  | { kind: 'list'; items: Inline[] }
  | { kind: 'steps'; items: Inline[] }
  | { kind: 'note'; text: Inline }
  | { kind: 'table'; columns: string[]; rows: Inline[][] }
  | { kind: 'picture'; src: string; alt: string; width: number; height: number };

export type DocPage = {
  path: string;
  title: string;
  description: string;
  sections: { id: string; heading: string; blocks: Block[] }[];
};
