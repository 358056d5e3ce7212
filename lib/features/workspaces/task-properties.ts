const ASSIGNEE = /^(assignees?|assigned( to)?|owners?)$/i;
const DUE = /\b(due|deadline)\b/i;

/** The property that says who works on a page: the people property with a typical name, otherwise the first one. */
export const findAssigneeProperty = <T extends Property>(properties: T[]): T | undefined =>
  findTypical(properties, 'people', ASSIGNEE);

/** The property that says when a page is due: the date with a typical name, otherwise the first one. */
export const findDueProperty = <T extends Property>(properties: T[]): T | undefined =>
  findTypical(properties, 'date', DUE);

interface Property {
  name: string;
  type: string;
}

function findTypical<T extends Property>(properties: T[], type: string, names: RegExp): T | undefined {
  const fitting = properties.filter((property) => property.type === type);
  return fitting.find(({ name }) => names.test(name.trim())) ?? fitting[0];
}
