/** The given path if it belongs to this origin, else null. */
export function returnPath(value: string | null): string | null {
  if (!value || !/^\/(?![/\\])[^\\\s]*$/.test(value)) return null;
  return value;
}
