import type { MessageBody } from '@/lib/integrations/discord/discord-messages';
import type { Page } from '@/lib/integrations/notion/notion-page';
import type { RuleTerms } from '../matching/schema';
import { fitName } from '../matching/shown-value';
import { idOfSource, type RuleSource } from '../matching/sources';
import type { DigestDetails } from '../matching/summary';

interface DigestRule extends Pick<RuleTerms, 'eventType'> {
  database: { statusPropertyId: string | null };
}

/** A rule of a channel. Digests for people name no source. */
type ChannelRule = DigestRule & Pick<RuleSource, 'databaseId' | 'pageId'> & { sourceName: string };

/** What must be remembered of a card that is not posted, so that a digest can tell it later. */
export function toDigestDetails(
  rule: DigestRule | ChannelRule,
  page: Page,
  card: MessageBody,
): DigestDetails {
  const { eventType, database } = rule;
  const status = database.statusPropertyId === null ? undefined : page.values.get(database.statusPropertyId);
  return {
    eventType,
    status: status ? fitName(status.text) || null : null,
    pings: card.allowed_mentions?.users ?? [],
    ...('sourceName' in rule &&
      'databaseId' in rule && { source: { id: idOfSource(rule), name: fitName(rule.sourceName) } }),
  };
}
