import type { Answer, Call } from './ask';
import type { Context } from './subject';

/** Calls Discord's API, as the bot unless another authorization is given. */
export function askDiscord(
  { env, ask }: Context,
  method: string,
  path: string,
  call: Call = {},
): Promise<Answer> {
  return ask(method, `${env.DISCORD_API_URL}${path}`, {
    ...call,
    headers: {
      'user-agent': `DiscordBot (${env.APP_URL}, 1.0)`,
      authorization: `Bot ${env.DISCORD_BOT_TOKEN}`,
      ...call.headers,
    },
  });
}
