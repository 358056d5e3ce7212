import { useState } from 'react';

/** The value, or the last one that there was. */
export function useLast<T>(value: T | null | undefined): T | null | undefined {
  const [last, setLast] = useState(value);
  if (value && value !== last) setLast(value);
  return value ?? last;
}
