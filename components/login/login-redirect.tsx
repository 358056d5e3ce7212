'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import { LoadingScreen } from '@/components/start/loading-screen';

/** Whoever is signed in already has no need of the login page. */
export function LoginRedirect() {
  const router = useRouter();
  useEffect(() => router.replace('/'), [router]);
  return <LoadingScreen text="Loading... Please wait" />;
}
