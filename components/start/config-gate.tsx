'use client';

import { type ReactNode, useEffect } from 'react';
import { log } from '@/lib/client/log';
import { useConfig } from '@/lib/client/resources';
import { ConfigErrorScreen } from './config-error-screen';
import { LoadingScreen } from './loading-screen';

/** Renders its children once the configuration is loaded. */
export function ConfigGate({ children }: { children: ReactNode }) {
  const { data: config, error } = useConfig();

  useEffect(() => {
    if (error) log.error('Failed to load application configuration', error);
  }, [error]);

  if (error) return <ConfigErrorScreen />;
  if (!config) return <LoadingScreen text="Loading application configuration..." />;
  return children;
}
