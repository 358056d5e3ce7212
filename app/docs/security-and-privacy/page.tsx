import { permanentRedirect } from 'next/navigation';

/** The former address of the Privacy page. */
export default function SecurityAndPrivacyPage() {
  permanentRedirect('/docs/privacy');
}
