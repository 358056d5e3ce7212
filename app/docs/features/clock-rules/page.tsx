import type { Metadata } from 'next';
import { clockRules } from '@/components/docs/content/clock-rules';
import { DocArticle } from '@/components/docs/doc-article';

export const metadata: Metadata = { title: clockRules.title, description: clockRules.description };

export default function ClockRulesDocsPage() {
  return <DocArticle page={clockRules} />;
}
