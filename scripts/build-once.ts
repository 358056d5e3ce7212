import { ensureBuild } from './build';
import { runWithLifetime } from './lifetime';

/** Makes the production build, unless the existing one was made from the current sources. */
runWithLifetime(ensureBuild);
