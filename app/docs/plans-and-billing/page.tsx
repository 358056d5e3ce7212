import type { Metadata } from 'next';
import { plansAndBilling } from '@/components/docs/content/plans-and-billing';
import { DocArticle } from '@/components/docs/doc-article';

export const metadata: Metadata = { title: plansAndBilling.title, description: plansAndBilling.description };

export default function PlansAndBillingPage() {
  return <DocArticle page={plansAndBilling} />;
}
