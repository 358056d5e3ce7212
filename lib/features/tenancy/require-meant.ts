import { AppError } from '@/lib/errors';

/** Throws `conflict`, with this sentence, if the caller means another id than the one found. No id means any. */
export function requireMeant(meant: string | undefined, found: string, sentence: string): void {
  if (meant !== undefined && meant !== found) throw new AppError('conflict', sentence);
}
