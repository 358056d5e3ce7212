interface Requester {
  /** Null for whoever is not the account holder: Discord tells bots nobody's address. */
  email: string | null;
  discordUsername: string;
  discordDisplayName: string | null;
}

/**
 * The id of the only Notion user with the requester's e-mail address, else of the only one with their display name,
 * else of the only one with their username.
 */
export function suggestNotionUser(
  { email, discordUsername, discordDisplayName }: Requester,
  users: { id: string; name: string; email: string | null }[],
): string | null {
  const owners = users.filter((user) => email && user.email && fold(user.email) === fold(email));
  if (owners.length === 1) return owners[0]?.id ?? null;
  for (const wanted of [discordDisplayName, discordUsername]) {
    if (!wanted) continue;
    const same = users.filter(({ name }) => fold(name) === fold(wanted));
    if (same.length === 1) return same[0]?.id ?? null;
  }
  return null;
}

const fold = (name: string) => name.trim().normalize('NFC').toLowerCase();
