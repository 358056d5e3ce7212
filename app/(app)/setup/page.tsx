import type { Metadata } from 'next';
import { SetupScreen } from '@/components/setup/setup-screen';

export const metadata: Metadata = { title: 'Setup' };

export default function SetupPage() {
  return <SetupScreen />;
}
