import { BUILD, CHECKS, JOURNEYS, PACK, runSteps, tests } from './test-steps';

/**
 * Everything that proves the product: checks, tests on a real database, the build and the packed folder, and the
 * journeys in a real browser. The tests often wait for processes and clocks, so the steps that run in parallel cost
 * hardly any time.
 */
await runSteps([[tests()], [CHECKS, BUILD, PACK]], [[JOURNEYS]]);
