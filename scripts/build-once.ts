import { ensureBuild } from './build';
import { Lifetime } from './lifetime';
import { run } from './plain-error';

/** Makes the production build, unless the existing one was made from the current sources. */
run(async () => {
  const lifetime = new Lifetime();
  await ensureBuild((child) => lifetime.add(child.stop));
});
