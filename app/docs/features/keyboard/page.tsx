import type { Metadata } from 'next';
import { keyboard } from '@/components/docs/content/keyboard';
import { DocArticle } from '@/components/docs/doc-article';

export const metadata: Metadata = { title: keyboard.title, description: keyboard.description };

export default function KeyboardPage() {
  return <DocArticle page={keyboard} />;
}
