import type { Metadata } from 'next';
import { quickActions } from '@/components/docs/content/quick-actions';
import { DocArticle } from '@/components/docs/doc-article';

export const metadata: Metadata = { title: quickActions.title, description: quickActions.description };

export default function QuickActionsPage() {
  return <DocArticle page={quickActions} />;
}
