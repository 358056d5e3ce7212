// Kept on globalThis because Next loads our modules once per bundle (routes, instrumentation).
const holder = globalThis as { pagewireState?: Map<string, object> };
holder.pagewireState ??= new Map();
const states = holder.pagewireState;

/** State that all bundles of this process share under a name; the first caller's `make` creates it. */
export function processState<T extends object>(name: string, make: () => T): T {
  const state = states.get(name) ?? make();
  states.set(name, state);
  return state as T;
}
