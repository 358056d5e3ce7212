import { isAnswered, isMissing } from './error-text';

/**
 * For the `catch` of a call: throws its error again, unless no answer came and `isDone`, which reads the server again,
 * finds that the call was made all the same.
 */
export const unlessDone = (isDone: () => Promise<boolean>) => async (error: unknown) => {
  if (isAnswered(error) || !(await isDone().catch(() => false))) throw error;
};

/** `unlessDone` for a deletion, which was also made if the server says that there is nothing: perhaps in another tab. */
export const unlessGone = (isGone: () => Promise<boolean>) => async (error: unknown) => {
  if (!isMissing(error)) await unlessDone(isGone)(error);
};
