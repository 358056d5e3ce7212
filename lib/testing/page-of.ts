import type { Page } from '@/lib/integrations/notion/notion-page';

/** A page with these values by property id. */
export const pageOf = (values: Page['values']): Page => ({
  id: 'page',
  url: '',
  title: 'Page',
  createdBy: null,
  lastEditedBy: null,
  createdAt: new Date(0),
  isTrashed: false,
  lastEditedAt: new Date(0),
  databaseId: 'db',
  parent: { kind: 'data_source', id: 'db', databaseId: null },
  icon: null,
  values,
});
