import type { Metadata } from 'next';
import { NotionScreen } from '@/components/notion/notion-screen';

export const metadata: Metadata = { title: 'Notion' };

export default function NotionPage() {
  return <NotionScreen />;
}
