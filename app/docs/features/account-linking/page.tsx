import type { Metadata } from 'next';
import { accountLinking } from '@/components/docs/content/account-linking';
import { DocArticle } from '@/components/docs/doc-article';

export const metadata: Metadata = { title: accountLinking.title, description: accountLinking.description };

export default function AccountLinkingPage() {
  return <DocArticle page={accountLinking} />;
}
