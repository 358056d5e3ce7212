import type { AppConfig } from '@/lib/features/account/schema';

/** The URL of a documentation page; `path` is relative to the documentation's root. */
export function docsHref(config: AppConfig | undefined, path: string): string {
  const start = config?.support.docsUrl ?? '/docs';
  return start.replace(/\/$/, '') + path;
}
