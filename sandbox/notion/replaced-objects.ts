/** A JSON text in which each object with one of these ids is replaced. */
export function withReplaced(text: string, replaced: Record<string, unknown>): string {
  const toOther = (_: string, value: unknown) => {
    const { object, id } = (value ?? {}) as { object?: unknown; id?: string };
    return object !== undefined && id !== undefined && Object.hasOwn(replaced, id) ? replaced[id] : value;
  };
  return JSON.stringify(JSON.parse(text, toOther));
}
