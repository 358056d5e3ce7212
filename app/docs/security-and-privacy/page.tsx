import type { Metadata } from 'next';
import { securityAndPrivacy } from '@/components/docs/content/security-and-privacy';
import { DocArticle } from '@/components/docs/doc-article';

export const metadata: Metadata = {
  title: securityAndPrivacy.title,
  description: securityAndPrivacy.description,
};

export default function SecurityAndPrivacyPage() {
  return <DocArticle page={securityAndPrivacy} />;
}
