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

/**
 * Makes `instanceof` recognise the errors of a class in every bundle, also those that another bundle's copy of the class
 * made. Needed for errors that pass through functions and promises that bundles share. `name` identifies the class.
 */
export function shareErrorClass(errorClass: { readonly prototype: Error }, name: string): void {
  const mark = Symbol.for(`pagewire.${name}`);
  Object.defineProperty(errorClass.prototype, mark, { value: true });
  Object.defineProperty(errorClass, Symbol.hasInstance, {
    value(this: { readonly prototype: Error }, value: unknown) {
      // A subclass inherits this function, but not the mark.
      if (this !== errorClass) return Function.prototype[Symbol.hasInstance].call(this, value);
      return typeof value === 'object' && value !== null && mark in value;
    },
  });
}
