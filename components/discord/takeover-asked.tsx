'use client';

import { useState } from 'react';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { lateDialog } from '@/components/ui/late';
import { isolate } from '@/lib/bidi';
import { api } from '@/lib/client/api';
import { errorText } from '@/lib/client/error-text';
import { formatExactTime } from '@/lib/client/format';
import { log } from '@/lib/client/log';
import { TAKEOVERS, useServer, useTakeovers } from '@/lib/client/resources';
import { unlessDone } from '@/lib/client/unless-done';
import type { Takeovers } from '@/lib/features/takeovers/schema';

type Asked = Takeovers['asked'][number];

const ConfirmDialog = lateDialog(() =>
  import('@/components/ui/confirm-dialog').then((module) => module.ConfirmDialog),
);

const FAILURE = 'Failed to send your answer';

/** Requests for the account's server, each with the same two answers as the bot's message. */
export function TakeoversAsked() {
  const { data } = useTakeovers();
  return (data?.asked ?? []).map((asked) => <TakeoverAsked key={asked.id} asked={asked} />);
}

function TakeoverAsked({ asked }: { asked: Asked }) {
  const { mutate } = useTakeovers();
  const { mutate: mutateServer } = useServer();
  const [confirming, setConfirming] = useState(false);
  const [busy, setBusy] = useState<'keep' | 'hand-over' | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const { id, state } = asked;
  const [server, asker] = [isolate(asked.serverName), isolate(asked.askerName)];
  const isHandedOver = state === 'handed_over';

  async function answer(given: 'keep' | 'hand-over') {
    setBusy(given);
    setRefusal(null);
    try {
      await api(`${TAKEOVERS}/${id}/${given}`, 'POST').catch(
        unlessDone(async () => isGiven(await api<Takeovers>(TAKEOVERS), id, given)),
      );
      setConfirming(false);
      await Promise.all([mutate(), mutateServer()]);
    } catch (reason) {
      log.error(FAILURE, reason);
      setRefusal(errorText(reason, FAILURE, FAILURE));
    }
    setBusy(null);
  }

  return (
    <Alert
      variant="warning"
      title={isHandedOver ? `You hand ${server} over to ${asker}` : `${asker} asks for ${server}`}
      action={
        <div className="flex flex-wrap gap-2">
          <Button
            variant="outline"
            size="sm"
            busy={busy === 'keep'}
            busyLabel="Keeping..."
            onClick={() => answer('keep')}
          >
            Keep it
          </Button>
          {isHandedOver ? null : (
            <Button variant="quietDanger" size="sm" onClick={() => setConfirming(true)}>
              Hand it over
            </Button>
          )}
        </div>
      }
    >
      {consequence(asked)}
      {refusal && !confirming ? (
        <p role="alert" className="mt-2 text-danger">
          {refusal}
        </p>
      ) : null}
      {confirming ? (
        <ConfirmDialog
          onClose={() => setConfirming(false)}
          title={`Hand ${server} over?`}
          description={`It leaves your account and goes to ${asker}. All your rules for it will be deleted. This action cannot be undone.`}
          confirmLabel="Hand it over"
          busyLabel="Handing over..."
          busy={busy === 'hand-over'}
          error={refusal}
          onConfirm={() => answer('hand-over')}
        />
      ) : null}
    </Alert>
  );
}

/** Whether this answer is already given: the request is gone, or says so. */
const isGiven = ({ asked }: Takeovers, id: string, given: 'keep' | 'hand-over') =>
  asked.every((each) => each.id !== id || (given === 'hand-over' && each.state === 'handed_over'));

function consequence({ state, until }: Asked): string {
  if (state === 'handed_over') return 'It leaves your account once they can connect it.';
  if (state === 'due') {
    return 'Seven days have passed without your answer, so they can take it over at any moment.';
  }
  const by = until ? `by ${formatExactTime(until)}` : 'within seven days';
  return `They manage the server in Discord, and you no longer do. Without an answer ${by} they can take it over, and your rules for it are deleted.`;
}
