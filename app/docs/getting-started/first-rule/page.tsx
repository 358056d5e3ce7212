import type { Metadata } from 'next';
import { firstRule } from '@/components/docs/content/first-rule';
import { DocArticle } from '@/components/docs/doc-article';

export const metadata: Metadata = { title: firstRule.title, description: firstRule.description };

export default function FirstRulePage() {
  return <DocArticle page={firstRule} />;
}
