import { texts } from '@/lib/bot-texts';
import { db, type Transaction, transaction } from '@/lib/db/database';
import { keyOf } from '@/lib/queue/define-job';
import { buttonRow } from '../cards/buttons';
import { nameWords } from '../cards/line-text';
import { notifyIdOf } from '../letters/notify-setting';
import { forgetDeclined } from '../links/commands';
import { type LinkDecision, tellLinkDecisionJob } from '../links/enqueue-link-decision';
import type { EndedDirect } from './direct-message';
import { queueDirect } from './queue-direct';

const MAX_NAME = 200;

/** Tells a person what became of their request. If the bot cannot write to them, they learn it when they ask again. */
export async function tellLinkDecision(decision: LinkDecision): Promise<void> {
  const { requestId, accountId, discordUserId, isApproved } = decision;
  const [server, link, request] = await Promise.all([
    db().discordServer.findFirst({ where: { accountId } }),
    db().accountLink.findUnique({ where: { accountId_discordUserId: { accountId, discordUserId } } }),
    db().linkRequest.findFirst({ where: { id: requestId, declinedAt: { not: null } } }),
  ]);
  if (!server) return;
  const serverName = nameWords(server.name, MAX_NAME);
  const told = { accountId, discordUserId, key: keyOf(tellLinkDecisionJob, decision) };
  // By now the decision may have been undone, or shown to the person elsewhere.
  if (isApproved && link) {
    const linked = texts.linkApproved(nameWords(link.notionDisplayName, MAX_NAME), serverName);
    const components = [buttonRow(texts.notify.on, notifyIdOf(link.id, 'on'))];
    const body = { content: texts.linkOfferNotify(linked), components };
    const approved = { ...told, at: link.linkedAt, sourceId: link.id, body };
    await transaction((tx) => queueDirect(tx, approved));
  }
  if (!isApproved && request?.declinedAt) {
    const declined = { ...told, at: request.declinedAt, sourceId: request.id };
    await transaction((tx) =>
      queueDirect(tx, { ...declined, body: { content: texts.linkRejected(serverName) } }),
    );
  }
}

/** Forgets a declined request once the person has been told. */
export async function forgetToldRequest(tx: Transaction, { sourceId, isSent }: EndedDirect): Promise<void> {
  if (isSent) await forgetDeclined(tx, sourceId);
}
