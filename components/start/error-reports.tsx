'use client';

import { useEffect } from 'react';
import { reportTo } from '@/lib/client/error-reporting';
import type { Destination } from '@/lib/client/failure';

/** Reports everything that fails on the page to the destination; renders nothing. */
export function ErrorReports({ to }: { to: Destination | null }) {
  useEffect(() => reportTo(to), [to]);
  return null;
}
