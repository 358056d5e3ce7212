'use client';

import { type ReactNode, useEffect } from 'react';
import { startErrorReporting } from '@/lib/client/error-reporting';
import { log } from '@/lib/client/log';
import { useConfig } from '@/lib/client/resources';
import { ConfigErrorScreen } from './config-error-screen';
import { LoadingScreen } from './loading-screen';

/** Renders its children once the configuration is loaded. */
export function ConfigGate({ children }: { children: ReactNode }) {
  const { data: config, error } = useConfig();

  useEffect(() => {
    if (config) void startErrorReporting(config);
    if (error) log.error('Failed to load application configuration', error);
  }, [config, error]);

  if (error) return <ConfigErrorScreen />;
  if (!config) return <LoadingScreen text="Loading application configuration..." />;
  return children;
}
