import type { Count } from './tally';

const REASONS: Record<Count['outcome'], string> = {
  unknown_key: 'sealed with a key that ENCRYPTION_KEYS does not have',
  unreadable: 'damaged or of another row, so that no key opens them',
  being_written: 'being written just now',
  resealed: 'sealed with it while this ran',
};

/** The report at the end of a rotation: which configured keys may be removed, and why values are left. */
export function reportRotation(keyIds: string[], left: Count[]): string[] {
  const [first, ...older] = keyIds;
  const rest = left.filter(({ keyId }) => !older.includes(keyId));
  return [
    `Key 1 (${first}) seals everything but what is listed here.`,
    ...list(rest),
    ...older.flatMap((keyId, index) =>
      reportOlder(
        `Key ${index + 2} (${keyId})`,
        left.filter((each) => each.keyId === keyId),
      ),
    ),
  ];
}

function reportOlder(key: string, left: Count[]): string[] {
  if (left.length === 0) return [`${key} seals nothing any more. It may be removed now.`];
  const total = left.reduce((sum, { count }) => sum + count, 0);
  const isMoving = left.some(({ outcome }) => outcome === 'being_written' || outcome === 'resealed');
  const advice = isMoving
    ? 'Run this again when every process seals with key 1.'
    : 'It may not be removed while it does.';
  return [`${key} still seals ${values(total)}. ${advice}`, ...list(left)];
}

const list = (left: Count[]) =>
  left.map(
    ({ source, keyId, outcome, count }) =>
      `  ${source}: ${values(count)} of key ${keyId}, ${REASONS[outcome]}`,
  );

const values = (count: number) => (count === 1 ? '1 value' : `${count.toLocaleString('en')} values`);
