import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Lifetime } from '../scripts/lifetime';
import { runNode } from '../scripts/run-command';

// Not a dependency: its two hundred packages would constrain the versions of ours.
const PACKAGE = 'lighthouse@12.8.2';

// npm retries for minutes when it cannot reach its registry; one attempt is enough.
let isMissing = false;

export interface Scores {
  performance: number;
  accessibility: number;
}

interface Report {
  categories: Record<string, { score: number | null }>;
}

/**
 * Lighthouse's scores, out of 100, for an address in the Chromium that listens on the given port. npm downloads it on
 * first use; null where that is impossible.
 */
export async function lighthouse(
  lifetime: Lifetime,
  url: string,
  { port, device }: { port: number; device: 'phone' | 'desktop' },
): Promise<Scores | null> {
  const npm = process.env['npm_execpath'];
  if (!npm || isMissing) return null;
  const folder = mkdtempSync(join(tmpdir(), 'pagewire-lighthouse-'));
  const report = join(folder, 'report.json');
  try {
    const { ok, output } = await runNode(
      [
        npm,
        'exec',
        '--yes',
        `--package=${PACKAGE}`,
        '--',
        'lighthouse',
        url,
        `--port=${port}`,
        '--disable-storage-reset',
        '--only-categories=performance,accessibility',
        '--output=json',
        `--output-path=${report}`,
        '--quiet',
        '--no-enable-error-reporting',
        ...(device === 'desktop' ? ['--preset=desktop'] : []),
      ],
      { lifetime },
    );
    if (!ok) {
      isMissing = true;
      console.warn(`No Lighthouse scores: ${output.trim().split('\n').at(-1)}`);
      return null;
    }
    const { categories } = JSON.parse(readFileSync(report, 'utf8')) as Report;
    const score = (name: string) => Math.round((categories[name]?.score ?? 0) * 100);
    return { performance: score('performance'), accessibility: score('accessibility') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
