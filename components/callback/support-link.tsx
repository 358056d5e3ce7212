'use client';

import { buttonClass } from '@/components/ui/button';
import { docsHref } from '@/lib/client/docs-href';
import { useConfig } from '@/lib/client/resources';

/** A link to help: the community server, else the support address, else the documentation. */
export function SupportLink() {
  const { data: config } = useConfig();
  const support = config?.support;
  if (support?.inviteUrl)
    return (
      <a
        href={support.inviteUrl}
        rel="noreferrer"
        target="_blank"
        className={buttonClass({ variant: 'outline' })}
      >
        Get help in our support server
      </a>
    );
  const href = support?.email ? `mailto:${support.email}` : docsHref(config, '/troubleshooting');
  return (
    <a href={href} className={buttonClass({ variant: 'outline' })}>
      {support?.email ? 'Write to support' : 'Read troubleshooting'}
    </a>
  );
}
