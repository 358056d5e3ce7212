import { rateLimited } from '../notion-error';
import type { NotionState } from '../notion-state';
import type { NotionWorld } from '../notion-world';

interface Window {
  startedMs: number;
  calls: number;
}

/** Counts calls of each connected bot in fixed windows. Keyed by the state, so that a reset also clears it. */
export class RateLimiter {
  private readonly windows = new WeakMap<NotionState, Map<string, Window>>();

  /** Throws the 429 when the window's calls are used up. */
  admit(world: NotionWorld, botId: string): void {
    const { enabled, limit, windowMs } = world.settings.rateLimit;
    if (!enabled) return;
    const perBot = this.windows.get(world.state) ?? new Map<string, Window>();
    this.windows.set(world.state, perBot);
    const nowMs = world.context.now().getTime();
    let window = perBot.get(botId);
    if (!window || nowMs - window.startedMs >= windowMs) {
      window = { startedMs: nowMs, calls: 0 };
      perBot.set(botId, window);
    }
    if (window.calls >= limit)
      throw rateLimited(Math.max(1, Math.ceil((window.startedMs + windowMs - nowMs) / 1000)));
    window.calls += 1;
  }
}
