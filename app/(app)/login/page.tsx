import type { Metadata } from 'next';
import { LoginRedirect } from '@/components/login/login-redirect';

export const metadata: Metadata = { title: 'Login' };

export default function LoginPage() {
  return <LoginRedirect />;
}
