import { createServer } from 'node:http';
import { close, listen, originOf } from './local-server';

interface ReceivedWebhook<Event> {
  body: string;
  signature: string;
  event: Event;
}

/** Starts an application on a free port that records webhooks, signed in this header. For tests. */
export async function recordWebhooks<Event>(signatureHeader: string) {
  const received: ReceivedWebhook<Event>[] = [];
  const answers: number[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    received.push({ body, signature: String(request.headers[signatureHeader]), event: JSON.parse(body) });
    response.writeHead(answers.shift() ?? 200).end();
  });
  return {
    url: originOf(await listen(server)),
    received,
    /** Statuses that the application returns for the next webhooks; 200 after that. */
    answers,
    stop: () => close(server),
  };
}
