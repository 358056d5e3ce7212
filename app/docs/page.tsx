import type { Metadata } from 'next';
import { introduction } from '@/components/docs/content/introduction';
import { DocArticle } from '@/components/docs/doc-article';

export const metadata: Metadata = { title: introduction.title, description: introduction.description };

export default function DocsPage() {
  return <DocArticle page={introduction} />;
}
