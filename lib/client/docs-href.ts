import type { AppConfig } from '@/lib/features/account/schema';

/** The address of a documentation page; `path` is below the documentation's start. */
export function docsHref(config: AppConfig | undefined, path: string): string {
  const start = config?.support.docsUrl ?? '/docs';
  return start.replace(/\/$/, '') + path;
}
