import { useCallback, useState } from 'react';
import { loadScript } from '@/lib/client/load-script';
import { log } from '@/lib/client/log';
import type { DocPage } from './content/doc-page';

/** The pages of the documentation, none before their texts are loaded, and the function that loads these. */
export function useDocPages(): [pages: DocPage[], load: () => void] {
  const [pages, setPages] = useState<DocPage[]>([]);
  const load = useCallback(() => {
    loadScript(() => import('./content/doc-groups'))
      .then((module) => setPages(module.DOC_PAGES))
      .catch((error) => log.warn('Failed to load the documentation', error));
  }, []);
  return [pages, load];
}
