/** Text with `code` in backticks and [links](/docs). */
export type Inline = string;

export type Block =
  | { kind: 'text'; text: Inline }
  | { kind: 'list'; items: Inline[] }
  | { kind: 'steps'; items: Inline[] }
  | { kind: 'note'; text: Inline }
  | { kind: 'table'; columns: string[]; rows: Inline[][] }
  /** `dark` is what dark pages show instead. */
  | { kind: 'picture'; src: string; dark?: string; alt: string; width: number; height: number };

/** A picture of a screen, which `npm run docs:pictures` makes in light and in dark. */
export const screen = (name: string, alt: string): Block => ({
  kind: 'picture',
  src: `/docs/${name}.webp`,
  dark: `/docs/${name}-dark.webp`,
  alt,
  width: 1200,
  height: 750,
});

export type DocPage = {
  path: string;
  title: string;
  description: string;
  sections: { id: string; heading: string; blocks: Block[] }[];
};
