'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import { LoadingScreen } from '@/components/start/loading-screen';

/** Redirects a person who is already signed in. */
export function LoginRedirect() {
  const router = useRouter();
  useEffect(() => router.replace('/'), [router]);
  return <LoadingScreen text="Loading... Please wait" />;
}
