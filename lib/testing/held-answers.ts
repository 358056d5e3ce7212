import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { env } from '@/lib/env';

/** Stands between the product and a service: makes each call at once, and can hold back the answer of one. */
export class HeldAnswers {
  private match: RegExp | null = null;
  private letAnswerGo: (() => void) | null = null;

  /** Directs this process's calls to a service, by default Notion, through it, until `end` is called. */
  static async begin(
    address: 'NOTION_API_URL' | 'DISCORD_API_URL' = 'NOTION_API_URL',
  ): Promise<{ answers: HeldAnswers; end: () => void }> {
    const answers = new HeldAnswers();
    const service = env()[address];
    const server = createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray());
      const { host: _, 'content-length': __, connection: ___, ...headers } = request.headers;
      const answer = await fetch(`${service}${request.url}`, {
        method: request.method,
        headers: headers as Record<string, string>,
        redirect: 'manual',
        ...(body.length > 0 && { body }),
      });
      const text = await answer.text();
      await answers.wait(`${request.method} ${request.url}`);
      const [type, location] = ['content-type', 'location'].map((name) => answer.headers.get(name));
      response.writeHead(answer.status, {
        ...(type && { 'content-type': type }),
        ...(location && { location }),
      });
      response.end(text);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    Object.assign(env(), { [address]: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
    const end = () => {
      Object.assign(env(), { [address]: service });
      server.close();
      server.closeAllConnections();
    };
    return { answers, end };
  }

  /** Holds back the answer to the next call that matches, of the form "GET /path". */
  hold(match: RegExp): void {
    this.match = match;
  }

  /** Whether an answer is held back now. */
  get isHolding(): boolean {
    return this.letAnswerGo !== null;
  }

  release(): void {
    this.letAnswerGo?.();
    this.letAnswerGo = null;
  }

  private async wait(call: string): Promise<void> {
    if (!this.match?.test(call)) return;
    this.match = null;
    await new Promise<void>((resolve) => {
      this.letAnswerGo = resolve;
    });
  }
}
