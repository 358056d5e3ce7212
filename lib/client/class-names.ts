import { type ClassValue, clsx } from 'clsx';

/** Joins class names. Don't pass two that set the same property: which one wins is undefined. */
export function cn(...classes: ClassValue[]): string {
  return clsx(classes);
}
