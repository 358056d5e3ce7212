import { fitEscaped } from '@/lib/features/notifications/discord-text';
import { texts } from './texts';

const NAME_MAX = 200;

/** What a person is told about their request to be linked. */
export function sayLinkDecision(decision: {
  isApproved: boolean;
  notionName: string;
  serverName: string;
}): string {
  const server = fitEscaped(decision.serverName, NAME_MAX);
  return decision.isApproved
    ? texts.linkApproved(fitEscaped(decision.notionName, NAME_MAX), server)
    : texts.linkRejected(server);
}
