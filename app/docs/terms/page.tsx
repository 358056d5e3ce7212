import type { Metadata } from 'next';
import { Contact } from '@/components/docs/contact';
import { terms } from '@/components/docs/content/terms';
import { DocArticle } from '@/components/docs/doc-article';
import { env } from '@/lib/env';

export const metadata: Metadata = { title: terms.title, description: terms.description };

export default function TermsPage() {
  return (
    <DocArticle page={terms}>
      <Contact email={env().SUPPORT_EMAIL} inviteUrl={env().SUPPORT_INVITE_URL} />
    </DocArticle>
  );
}
