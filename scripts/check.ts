import { programOf } from './program';
import { runNode } from './run-command';

const CHECKS = [
  { name: 'format and lint', args: [programOf('@biomejs/biome', 'biome'), 'check', '.'] },
  { name: 'types', args: [programOf('typescript', 'tsc'), '--noEmit', '-p', '.'] },
  { name: 'unused code', args: [programOf('knip'), '--no-progress'] },
  { name: 'lock file', args: [programOf('tsx'), 'scripts/lock-integrity.ts'] },
  { name: 'licences', args: [programOf('tsx'), 'scripts/licences.ts', '--check'] },
  { name: 'pictures', args: [programOf('tsx'), 'scripts/docs-pictures.ts', '--check'] },
  { name: 'documents', args: [programOf('tsx'), 'scripts/check-documents.ts'] },
  { name: 'architecture', args: [programOf('vitest'), 'run', '--project', 'house'] },
];

/** Runs every check that needs neither a database nor a build, and says of each whether it failed, and why. */
async function main(): Promise<void> {
  // Writes next-env.d.ts and the route types, which the type check reads.
  const routes = await runNode([programOf('next'), 'typegen']);
  if (!routes.ok) console.log(routes.output);

  let failed = !routes.ok;
  for (const { name, args } of CHECKS) {
    const { ok, output } = await runNode(args);
    if (!ok) console.log(`\n${name}\n${output}`);
    failed ||= !ok;
    console.log(`${ok ? 'ok    ' : 'FAILED'} ${name}`);
  }
  if (failed) process.exitCode = 1;
}

await main();
