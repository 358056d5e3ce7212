import type { Metadata } from 'next';
import { commands } from '@/components/docs/content/commands';
import { DocArticle } from '@/components/docs/doc-article';

export const metadata: Metadata = { title: commands.title, description: commands.description };

export default function CommandsPage() {
  return <DocArticle page={commands} />;
}
