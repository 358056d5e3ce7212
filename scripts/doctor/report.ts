import type { SubjectFinding } from './examine';

const MARKS = { fine: 'ok    ', remark: 'remark', wrong: 'WRONG ' };

/** The report for people. */
export function reportLines(found: SubjectFinding[]): string[] {
  const lines = found.flatMap(({ state, subject, text, fix }) => [
    `${MARKS[state]}  ${subject}: ${text}`,
    ...(fix ? [`        ${fix}`] : []),
  ]);
  const count = found.filter(({ state }) => state === 'wrong').length;
  const summary =
    count === 0 ? 'Nothing is wrong.' : count === 1 ? 'One thing is wrong.' : `${count} things are wrong.`;
  return [...lines, '', summary];
}
