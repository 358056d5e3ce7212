import type { World } from '../world';

/** The addresses to which the application may redirect a browser. */
export function redirectUris(world: World): string[] {
  return world.state.application.redirectUris ?? [`${world.context.appUrl}/api/discord/bot-install/callback`];
}
