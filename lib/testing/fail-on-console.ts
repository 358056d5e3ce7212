import { afterEach, beforeEach } from 'vitest';

const LEVELS = ['error', 'warn'] as const;
const target = globalThis.console;
const originals = { error: target.error, warn: target.warn };
let lines: string[] = [];

// A test that expects a line replaces these functions by its own spy.
beforeEach(() => {
  lines = [];
  for (const level of LEVELS) {
    target[level] = (...parts: unknown[]) => {
      lines.push(`console.${level}: ${parts.map(String).join(' ')}`);
    };
  }
});

afterEach(() => {
  for (const level of LEVELS) target[level] = originals[level];
  if (lines.length > 0) throw new Error(`Unexpected output:\n${lines.join('\n')}`);
});
