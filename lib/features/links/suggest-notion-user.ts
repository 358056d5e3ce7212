interface Requester {
  discordUsername: string;
  discordDisplayName: string | null;
}

/** The id of the only Notion user with the requester's display name, else of the only one with their username. */
export function suggestNotionUser(
  { discordUsername, discordDisplayName }: Requester,
  users: { id: string; name: string }[],
): string | null {
  for (const wanted of [discordDisplayName, discordUsername]) {
    if (!wanted) continue;
    const same = users.filter(({ name }) => fold(name) === fold(wanted));
    if (same.length === 1) return same[0]?.id ?? null;
  }
  return null;
}

const fold = (name: string) => name.trim().normalize('NFC').toLowerCase();
