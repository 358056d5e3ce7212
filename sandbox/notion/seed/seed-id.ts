import { createHash } from 'node:crypto';

/** A UUID that depends only on the name, so that seeded objects keep their ids across resets. */
export function seedId(name: string): string {
  const hex = createHash('sha256').update(`notion:${name}`).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `9${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
