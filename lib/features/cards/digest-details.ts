import type { MessageBody } from '@/lib/integrations/discord/discord-messages';
import type { Page } from '@/lib/integrations/notion/notion-page';
import type { RuleTerms } from '../matching/schema';
import { fitName } from '../matching/shown-value';
import type { DigestDetails } from '../matching/summary';

interface DigestRule extends Pick<RuleTerms, 'eventType'> {
  database: { statusPropertyId: string | null };
}

/** What must be remembered of a card that is not posted, so that a digest can tell it later. */
export function toDigestDetails(
  { eventType, database }: DigestRule,
  page: Page,
  card: MessageBody,
): DigestDetails {
  const status = database.statusPropertyId === null ? undefined : page.values.get(database.statusPropertyId);
  return {
    eventType,
    status: status ? fitName(status.text) || null : null,
    pings: card.allowed_mentions?.users ?? [],
  };
}
