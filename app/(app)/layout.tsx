import type { ReactNode } from 'react';
import { AppStart } from '@/components/start/app-start';

export default function AppLayout({ children }: { children: ReactNode }) {
  return <AppStart>{children}</AppStart>;
}
