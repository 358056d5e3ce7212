const NAMES = /\b(due|deadline)\b/i;

/** The property that says when a page is due: the date with a typical name, otherwise the first one. */
export function findDueProperty<T extends { name: string; type: string }>(properties: T[]): T | undefined {
  const dates = properties.filter(({ type }) => type === 'date');
  return dates.find(({ name }) => NAMES.test(name.trim())) ?? dates[0];
}
