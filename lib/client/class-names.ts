/** Joins class names. Two that set the same property must not meet in one call: neither wins for sure. */
export { clsx as cn } from 'clsx';
