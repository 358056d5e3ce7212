import type { Metadata } from 'next';
import { SetupScreen } from '@/components/setup/setup-screen';
import { OfflineBanner } from '@/components/shell/offline-banner';

export const metadata: Metadata = { title: 'Setup' };

export default function SetupPage() {
  return (
    <>
      <OfflineBanner />
      <SetupScreen />
    </>
  );
}
