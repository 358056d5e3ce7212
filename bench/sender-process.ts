import { Agent, request } from 'node:http';
import type { Sending, Sent } from './sender';

process.once('disconnect', () => process.exit());

/** Sends the given calls, this many at a time over open connections, and reports the answers. */
process.on('message', async ({ url, posts, inFlight }: Sending) => {
  const agent = new Agent({ keepAlive: true, maxSockets: inFlight });
  const sent: Sent[] = [];
  let next = 0;
  const lane = async () => {
    for (let post = posts[next++]; post; post = posts[next++]) {
      const { headers, body } = post;
      const start = performance.now();
      const answer = await send(headers, body);
      sent.push({ ...answer, ms: performance.now() - start });
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  agent.destroy();
  process.send?.(sent);

  function send(headers: Record<string, string>, body: string): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      const call = request(url, { method: 'POST', agent, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      });
      call.on('error', reject).end(body);
    });
  }
});
