import { useCallback, useState } from 'react';
import { loadScript } from '@/lib/client/load-script';
import { log } from '@/lib/client/log';
import type { DocPage } from './content/doc-page';

/**
 * The pages of the documentation, none before their texts are loaded, the function that loads these, and whether they
 * did not arrive.
 */
export function useDocPages(): [pages: DocPage[], load: () => void, isMissing: boolean] {
  const [pages, setPages] = useState<DocPage[]>([]);
  const [isMissing, setIsMissing] = useState(false);
  const load = useCallback(() => {
    loadScript(() => import('./content/doc-groups'))
      .then((module) => {
        setPages(module.DOC_PAGES);
        setIsMissing(false);
      })
      .catch((error) => {
        log.warn('Failed to load the documentation', error);
        setIsMissing(true);
      });
  }, []);
  return [pages, load, isMissing];
}
