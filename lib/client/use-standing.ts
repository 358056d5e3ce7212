import { useSyncExternalStore } from 'react';
import { currentStanding, type Standing, watchStanding } from './session';

/** Who is signed in, as far as the last call has shown. */
export const useStanding = () => useSyncExternalStore<Standing>(watchStanding, currentStanding, () => 'same');
