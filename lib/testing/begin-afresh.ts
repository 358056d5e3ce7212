import { AsyncLocalStorage } from 'node:async_hooks';
import { vi } from 'vitest';

/**
 * Test files share processes, because loading the packages takes longer than most test files. Each file still finds its
 * process as new: our own modules are loaded again, and the environment and what we keep on globalThis are reset. Work
 * that an earlier file left running keeps its own modules, database and state.
 */
const shared = globalThis as Record<string, unknown> & {
  environmentAtStart?: NodeJS.ProcessEnv;
  pagewireState?: ReadonlyMap<string, object>;
};

vi.unstubAllEnvs();
vi.unstubAllGlobals();
vi.useRealTimers();
shared.environmentAtStart ??= { ...process.env };
for (const name of Object.keys(process.env)) {
  if (!(name in shared.environmentAtStart)) delete process.env[name];
}
Object.assign(process.env, shared.environmentAtStart);
// Node passes every storage that was ever used along with each promise, which those of earlier files would slow more and
// more. Work that they left running loses what was stored for it.
for (const state of shared.pagewireState?.values() ?? []) {
  for (const part of [state, ...Object.values(state)]) {
    if (part instanceof AsyncLocalStorage) part.disable();
  }
}
for (const name of Object.keys(shared)) {
  if (name.startsWith('pagewire')) delete shared[name];
}
vi.resetModules();
