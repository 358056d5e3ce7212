import { ensureBuild } from './build';
import { Lifetime } from './lifetime';
import { run } from './plain-error';

/** Makes the production build, unless the existing one is of the present sources. */
run(async () => {
  const lifetime = new Lifetime();
  await ensureBuild((child) => lifetime.add(child.stop));
});
