/** Whether PostgreSQL can store a text: it has neither the character 0 nor an unpaired surrogate. */
export const isStorable = (text: string): boolean => !text.includes('\0') && !/\p{Surrogate}/u.test(text);

/** The first characters of a text, at most `max`: one fewer where the cut would fall inside a surrogate pair. */
export const firstCharacters = (text: string, max: number): string =>
  text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '');
