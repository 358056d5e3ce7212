/**
 * What tells databases of one name apart, by their ids, in words: how their addresses in Notion end. Databases whose
 * name no other has are not in it.
 */
export function endsOfAddresses(
  databases: { id: string; name: string; url: string | null }[],
): Map<string, string> {
  const counts = new Map<string, number>();
  for (const { name } of databases) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map(
    databases.flatMap(({ id, name, url }) => {
      const end = /([0-9a-f]{4})([?#].*)?$/i.exec(url ?? '')?.[1] ?? id.slice(-4);
      return (counts.get(name) ?? 0) > 1 ? [[id, `address ends in ${end}`]] : [];
    }),
  );
}
