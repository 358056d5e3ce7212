import { VARIABLES } from '../env';

// What the shell exports may be about a real installation.
for (const name of VARIABLES) delete process.env[name];
