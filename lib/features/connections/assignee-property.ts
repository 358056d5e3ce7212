const NAMES = /^(assignees?|assigned( to)?|owners?)$/i;

/** The property that says who works on a page: the people property with a typical name, otherwise the first one. */
export function findAssigneeProperty<T extends { name: string; type: string }>(
  properties: T[],
): T | undefined {
  const forPeople = properties.filter(({ type }) => type === 'people');
  return forPeople.find(({ name }) => NAMES.test(name.trim())) ?? forPeople[0];
}
