import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** One service's part of the sandbox's state. Call `save` after every change of `value`. */
export interface Slice<T> {
  value: T;
  save(): void;
}

const SAVE_DELAY_MS = 100;

/** The sandbox's state: JSON values by name, stored in one file if a path is given. */
export class Store {
  private readonly saved: Record<string, unknown>;
  private readonly slices = new Map<string, { slice: Slice<unknown>; seed: () => unknown }>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly path?: string) {
    this.saved = path && existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  }

  /** The slice of this name; the first call provides its seed. */
  slice<T>(name: string, seed: () => T): Slice<T> {
    const known = this.slices.get(name);
    if (known) return known.slice as Slice<T>;
    const slice: Slice<T> = {
      value: (this.saved[name] as T | undefined) ?? seed(),
      save: () => this.schedule(),
    };
    this.slices.set(name, { slice, seed });
    return slice;
  }

  /** Resets every slice to its seed. */
  reset(): void {
    for (const { slice, seed } of this.slices.values()) slice.value = seed();
    this.schedule();
  }

  /** Writes pending changes; call before exit. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (!this.path) return;
    const all = Object.fromEntries([...this.slices].map(([name, { slice }]) => [name, slice.value]));
    mkdirSync(dirname(this.path), { recursive: true });
    writeFileSync(`${this.path}.part`, JSON.stringify(all));
    renameSync(`${this.path}.part`, this.path);
  }

  private schedule(): void {
    if (!this.path || this.timer) return;
    this.timer = setTimeout(() => this.flush(), SAVE_DELAY_MS);
    this.timer.unref();
  }
}
