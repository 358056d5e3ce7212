const HEX: Record<string, string> = {
  gray: '#8a8985',
  brown: '#9f6b53',
  orange: '#d9730d',
  yellow: '#cb912f',
  green: '#448361',
  blue: '#337ea9',
  purple: '#9065b0',
  pink: '#c14c8a',
  red: '#d44c47',
};

/** The hue of an option colour in Notion. */
export function notionHue(color: string): string {
  return HEX[color] ?? '#9b9a97';
}
