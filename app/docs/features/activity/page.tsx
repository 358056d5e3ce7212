import type { Metadata } from 'next';
import { activity } from '@/components/docs/content/activity';
import { DocArticle } from '@/components/docs/doc-article';

export const metadata: Metadata = { title: activity.title, description: activity.description };

export default function ActivityDocsPage() {
  return <DocArticle page={activity} />;
}
