/** Whether PostgreSQL can store a text: it has neither the character 0 nor an unpaired surrogate. */
export const isStorable = (text: string): boolean => !text.includes('\0') && !/\p{Surrogate}/u.test(text);
