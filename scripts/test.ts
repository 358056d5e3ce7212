import { BUILD, CHECKS, JOURNEYS, PACK, runSteps, tests } from './test-steps';

/**
 * The whole proof: checks, tests on a real database, the build, the packed folder, and the journeys in a real browser.
 * Tests and journeys often wait for processes, clocks and pages, so both run at once.
 */
await runSteps([tests()], [CHECKS, BUILD, PACK, JOURNEYS]);
