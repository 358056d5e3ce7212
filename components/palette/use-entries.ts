'use client';

import { Activity, BookOpen, Database, Waypoints } from 'lucide-react';
import { useEffect } from 'react';
import { searchDocs } from '@/components/docs/search-docs';
import { useDocPages } from '@/components/docs/use-doc-pages';
import { sentenceOf } from '@/components/rules/list/arrange-rules';
import { NAVIGATION } from '@/components/shell/navigation';
import { docsHref } from '@/lib/client/docs-href';
import { useConfig, useRules, useWorkspace } from '@/lib/client/resources';
import { type Entry, type EntryGroup, findEntries } from './find-entries';
import { type PaletteCalls, useActions } from './use-actions';

const WORDS: Record<string, string> = {
  '/': 'dashboard usage checklist',
  '/discord': 'server channels disconnect',
  '/notion': 'workspace databases disconnect',
  '/accounts': 'people link requests',
  '/settings': 'delete account unlink',
  '/settings/billing': 'plan usage trial upgrade invoices',
  '/help': 'support questions',
};

const ACTIVITY = { href: '/activity', label: 'Activity', icon: Activity };
const PAGES = NAVIGATION.flatMap((page) => (page.href === '/rules' ? [page, ACTIVITY] : [page]));

/** The palette's entries for a query, in groups. */
export function useEntries(query: string, calls: PaletteCalls): EntryGroup[] {
  const { data: rules = [] } = useRules();
  const { data: workspace } = useWorkspace();
  const actions = useActions(calls);
  const documentation = useDocumentation(query);
  const leadsTo = (
    id: string,
    href: string,
    entry: Pick<Entry, 'label' | 'icon'> & Partial<Entry>,
  ): Entry => ({
    id,
    href,
    run: () => calls.go(href),
    ...entry,
  });
  const groups: EntryGroup[] = [
    {
      heading: 'Pages',
      entries: PAGES.map(({ href, label, icon }) =>
        leadsTo(href, href, { label, icon, words: WORDS[href] ?? '' }),
      ),
    },
    { heading: 'Actions', entries: actions },
    {
      heading: 'Rules',
      entries: rules.map((rule) =>
        leadsTo(rule.id, `/rules?open=${rule.id}`, {
          label: sentenceOf(rule),
          hint: rule.enabled ? undefined : 'Off',
          icon: Waypoints,
        }),
      ),
    },
    {
      heading: 'Databases',
      entries: (workspace?.databases ?? []).flatMap(({ id, name, url }) =>
        url ? [leadsTo(id, url, { label: name, hint: 'Open in Notion', icon: Database })] : [],
      ),
    },
  ];
  const found = findEntries(groups, query);
  const read = documentation.map(({ href, heading, page }) =>
    leadsTo(href, href, { label: heading, hint: page, icon: BookOpen }),
  );
  return read.length > 0 ? [...found, { heading: 'Documentation', entries: read }] : found;
}

/** The sections of the documentation that match a query. Their texts are loaded with the palette. */
function useDocumentation(query: string): ReturnType<typeof searchDocs> {
  const { data: config } = useConfig();
  const [pages, load] = useDocPages();
  useEffect(load, [load]);
  return searchDocs(pages, query).map((hit) => ({
    ...hit,
    href: docsHref(config, hit.href.replace('/docs', '')),
  }));
}
