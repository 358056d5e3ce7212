import { permanentRedirect } from 'next/navigation';

/** The page has become "Privacy"; links to its former address still arrive. */
export default function SecurityAndPrivacyPage() {
  permanentRedirect('/docs/privacy');
}
