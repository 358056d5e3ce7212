import { notFound } from 'next/navigation';

export default function UnknownDocsPage() {
  notFound();
}
