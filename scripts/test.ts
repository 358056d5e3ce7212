import { BUILD, CHECKS, JOURNEYS, PACK, runSteps, tests } from './test-steps';

/**
 * The whole proof: checks, tests on a real database, the build, what it is packed to, and the journeys in a real
 * browser. The tests often wait for processes and clocks, so the steps beside them cost hardly any time.
 */
await runSteps([[tests()], [CHECKS, BUILD, PACK]], [[JOURNEYS]]);
