import { type ClassValue, clsx } from 'clsx';

/** Joins class names. Two that set the same property must not meet in one call: neither wins for sure. */
export function cn(...classes: ClassValue[]): string {
  return clsx(classes);
}
