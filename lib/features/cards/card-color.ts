// The colours of options as they look in Notion, as numbers for Discord.
const COLORS: Record<string, number> = {
  default: 0x9b9a97,
  gray: 0x91918e,
  brown: 0xad8a7a,
  orange: 0xdb8a4d,
  yellow: 0xdcb14a,
  green: 0x5ba27c,
  blue: 0x5a97c9,
  purple: 0xa47ac4,
  pink: 0xca6a9b,
  red: 0xdf6b62,
};

// Pagewire's signal green, for pages without a status.
const SIGNAL = 0x2bb673;

/** The colour of a card: that of the page's status in Notion. */
export function colorOf(statusColor: string | undefined): number {
  return (statusColor !== undefined && COLORS[statusColor]) || SIGNAL;
}
