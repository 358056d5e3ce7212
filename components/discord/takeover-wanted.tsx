'use client';

import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { isolate } from '@/lib/bidi';
import { api } from '@/lib/client/api';
import { errorText } from '@/lib/client/error-text';
import { formatDate, formatExactTime, sentence } from '@/lib/client/format';
import { TAKEOVERS, useTakeovers } from '@/lib/client/resources';
import { unlessDone } from '@/lib/client/unless-done';
import { useAction } from '@/lib/client/use-action';
import type { Takeovers } from '@/lib/features/takeovers/schema';

type Wanted = Takeovers['wanted'][number];

const FAILURE = 'Failed to ask for the server';

/** Servers that other accounts hold: offers to ask for them, and shows the state of each request. */
export function TakeoversWanted() {
  const { data } = useTakeovers();
  return (data?.wanted ?? []).map((wanted) => <TakeoverWanted key={wanted.id} wanted={wanted} />);
}

function TakeoverWanted({ wanted }: { wanted: Wanted }) {
  const { mutate } = useTakeovers();
  const { busy, error, run } = useAction(FAILURE, (reason) => errorText(reason, FAILURE, FAILURE));
  const { title, text } = words(wanted);

  const ask = () =>
    run(async () => {
      await api(`${TAKEOVERS}/${wanted.id}/request`, 'POST').catch(
        unlessDone(async () => isAsked(await api<Takeovers>(TAKEOVERS), wanted.id)),
      );
      await mutate();
    });

  return (
    <Alert
      title={title}
      action={
        wanted.state === 'offered' ? (
          <Button variant="outline" size="sm" busy={busy} busyLabel="Asking..." onClick={ask}>
            Ask to take over
          </Button>
        ) : null
      }
    >
      {text}
      {error ? (
        <p role="alert" className="mt-2 text-danger">
          {error}
        </p>
      ) : null}
    </Alert>
  );
}

const isAsked = ({ wanted }: Takeovers, id: string) =>
  wanted.some((each) => each.id === id && each.state !== 'offered');

function words({ serverName, state, since, until }: Wanted): { title: string; text: string } {
  const server = isolate(serverName);
  const asked = `You asked for ${server}`;
  switch (state) {
    case 'offered':
      return {
        title: `${server} belongs to another account`,
        text: 'If whoever connected it no longer manages it in Discord, you can ask for it. They get a direct message and have seven days to answer.',
      };
    case 'requested':
      return { title: asked, text: 'The bot is writing to whoever connected it.' };
    case 'asked':
      return {
        title: asked,
        text: `Asked on ${formatExactTime(since)}. The holder has until ${formatExactTime(until ?? since)} to answer. After that you can take it over by adding the bot again.`,
      };
    case 'due':
      return {
        title: `${server} can be yours now`,
        text: 'The holder did not answer for seven days. Add the bot to the server again to take it over.',
      };
    case 'kept':
      return {
        title: `${server} stays where it is`,
        text: sentence(`The holder keeps it. You can ask again on ${formatDate(until ?? since)}`),
      };
    case 'handed_over':
      return {
        title: `${server} was handed over to you`,
        text: 'It is being connected to your account. If that takes more than a minute, add the bot to the server again. Your plan has one server, so disconnect any other first.',
      };
  }
}
