import { BUILD, CHECKS, JOURNEYS, PACK, runSteps, tests } from './test-steps';

/**
 * The whole proof: checks, tests on a real database, the build, the packed folder, and the journeys in a real browser.
 * Tests often wait for processes and clocks, so the steps that run in parallel cost hardly any time.
 */
await runSteps([[tests()], [CHECKS, BUILD, PACK]], [[JOURNEYS]]);
