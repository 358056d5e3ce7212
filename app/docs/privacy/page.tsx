import type { Metadata } from 'next';
import { Contact } from '@/components/docs/contact';
import { privacy } from '@/components/docs/content/privacy';
import { DocArticle } from '@/components/docs/doc-article';
import { env } from '@/lib/env';

export const metadata: Metadata = { title: privacy.title, description: privacy.description };

export default function PrivacyPage() {
  return (
    <DocArticle page={privacy}>
      <Contact email={env().SUPPORT_EMAIL} inviteUrl={env().SUPPORT_INVITE_URL} />
    </DocArticle>
  );
}
