import type { Metadata } from 'next';
import { notificationRules } from '@/components/docs/content/notification-rules';
import { DocArticle } from '@/components/docs/doc-article';

export const metadata: Metadata = {
  title: notificationRules.title,
  description: notificationRules.description,
};

export default function NotificationRulesPage() {
  return <DocArticle page={notificationRules} />;
}
