/** The number in the text of a field; NaN for no number, or one below `least`. */
export function numberIn(text: string, least = Number.NEGATIVE_INFINITY): number {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  return number >= least ? number : Number.NaN;
}

/** The text of a field with this number: what was typed as long as it says the number, else the number itself. */
export function textOfNumber(value: number, typed: string, least?: number): string {
  const said = numberIn(typed, least);
  if (said === value || (Number.isNaN(said) && Number.isNaN(value))) return typed;
  return Number.isNaN(value) ? '' : String(value);
}
