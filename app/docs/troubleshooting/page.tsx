import type { Metadata } from 'next';
import { troubleshooting } from '@/components/docs/content/troubleshooting';
import { DocArticle } from '@/components/docs/doc-article';

export const metadata: Metadata = { title: troubleshooting.title, description: troubleshooting.description };

export default function TroubleshootingPage() {
  return <DocArticle page={troubleshooting} />;
}
