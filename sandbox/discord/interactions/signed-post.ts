import { createPrivateKey, sign } from 'node:crypto';
import type { World } from '../world';

export interface SignedPostOptions {
  signal?: AbortSignal;
  /** Sends an invalid signature, as Discord's own probes do. */
  forged?: boolean;
}

/** A POST as Discord makes it: Ed25519 over the timestamp and the raw body, signed with the real time. */
export async function signedPost(
  world: World,
  url: string,
  payload: unknown,
  { signal, forged = false }: SignedPostOptions = {},
): Promise<Response> {
  const body = JSON.stringify(payload);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const key = createPrivateKey(world.context.credentials.discord.privateKey);
  const signature = sign(null, Buffer.from((forged ? 'x' : '') + timestamp + body), key);
  return fetch(url, {
    method: 'POST',
    body,
    redirect: 'manual',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Discord-Interactions/1.0 (+https://discord.com)',
      'x-signature-ed25519': signature.toString('hex'),
      'x-signature-timestamp': timestamp,
    },
    ...(signal && { signal }),
  });
}

export function interactionsUrl(world: World): string {
  return (
    world.state.application.interactionsEndpointUrl ?? `${world.context.appUrl}/api/discord/interactions`
  );
}

export function eventsUrl(world: World): string {
  return world.state.application.eventWebhooksUrl ?? `${world.context.appUrl}/api/discord/events`;
}
