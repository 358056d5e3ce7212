interface Option {
  value: string;
  label: string;
  hint?: string;
}

/** The same options; of those with one label, each says in it what tells them apart: its hint, or how its id ends. */
export function withDistinctLabels<T extends Option>(options: T[]): T[] {
  const labels = countOf(options.map(({ label }) => label));
  const pairs = countOf(options.map(pairOf));
  return options.map((option) => {
    const { value, label, hint, ...rest } = option;
    if (labels.get(label) === 1) return option;
    if (hint === undefined || pairs.get(pairOf(option)) !== 1)
      return { ...option, label: `${label} (id ends in ${value.slice(-4)})` };
    return { value, label: `${label} (${hint})`, ...rest } as T;
  });
}

const pairOf = ({ label, hint }: Option) => JSON.stringify([label, hint]);

function countOf(texts: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}
