import { BUILD, CHECKS, JOURNEYS, PACK, runSteps, tests } from './test-steps';

/**
 * The whole proof: checks, tests on a real database, the build, what it is packed to, and the journeys in a real
 * browser.
 */
await runSteps([[CHECKS, tests(), BUILD, PACK, JOURNEYS]]);
