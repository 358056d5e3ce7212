/** A `remark` is worth reading, but nothing has to be changed. */
type State = 'fine' | 'remark' | 'wrong';

/** What a check found. */
export interface Finding {
  state: State;
  text: string;
  /** How to fix it. */
  fix?: string;
}

export const fine = (text: string): Finding => ({ state: 'fine', text });
export const remark = (text: string, fix?: string): Finding => ({
  state: 'remark',
  text,
  ...(fix && { fix }),
});
export const wrong = (text: string, fix: string): Finding => ({ state: 'wrong', text, fix });

/** What is wrong, or one sentence that says that all is fine. */
export const orFine = (found: Finding[], text: string): Finding[] =>
  found.length > 0 ? found : [fine(text)];

/** A list in a sentence: "a, b and 3 more". */
export function named(all: string[], most = 5): string {
  if (all.length <= most) return all.join(', ');
  return `${all.slice(0, most).join(', ')} and ${all.length - most} more`;
}
