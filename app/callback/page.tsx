import type { Metadata } from 'next';
import { CallbackScreen } from '@/components/callback/callback-screen';

export const metadata: Metadata = { title: 'Signing in' };

export default function CallbackPage() {
  return <CallbackScreen />;
}
