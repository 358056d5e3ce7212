import { PlainError } from '../scripts/plain-error';
import { programOf } from '../scripts/program';
import { runNode } from '../scripts/run-command';

/** Makes the production build for the products of all workers, unless it exists. */
export default async function buildProduct(): Promise<void> {
  const { ok, output } = await runNode([programOf('tsx'), 'scripts/build-once.ts']);
  if (!ok) throw new PlainError(output);
}
