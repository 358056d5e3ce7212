import type { Metadata } from 'next';
import { Contact } from '@/components/docs/contact';
import { security } from '@/components/docs/content/security';
import { DocArticle } from '@/components/docs/doc-article';
import { env } from '@/lib/env';

export const metadata: Metadata = { title: security.title, description: security.description };

export default function SecurityPage() {
  return (
    <DocArticle page={security}>
      <Contact email={env().SUPPORT_EMAIL} inviteUrl={env().SUPPORT_INVITE_URL} />
    </DocArticle>
  );
}
