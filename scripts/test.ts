import { BUILD, CHECKS, JOURNEYS, runSteps, tests } from './test-steps';

/** The whole proof: checks, tests on a real database, the build, and the journeys in a real browser. */
await runSteps([[CHECKS, tests(), BUILD, JOURNEYS]]);
