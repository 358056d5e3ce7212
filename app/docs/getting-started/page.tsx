import type { Metadata } from 'next';
import { gettingStarted } from '@/components/docs/content/getting-started';
import { DocArticle } from '@/components/docs/doc-article';

export const metadata: Metadata = { title: gettingStarted.title, description: gettingStarted.description };

export default function GettingStartedPage() {
  return <DocArticle page={gettingStarted} />;
}
