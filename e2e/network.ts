import type { CDPSession, Page } from '@playwright/test';

const UNLIMITED = -1;

/** The network of one tab, slowed down or cut with Chromium's developer tools. */
export class Network {
  private constructor(private readonly session: CDPSession) {}

  static async of(page: Page): Promise<Network> {
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    return new Network(session);
  }

  /** From now on every request takes at least this long, so that the state meanwhile can be checked. */
  async slow(latencyMs: number): Promise<void> {
    await this.emulate({ offline: false, latency: latencyMs });
  }

  /** From now on no request arrives, not even those in progress. */
  async cut(): Promise<void> {
    await this.emulate({ offline: true, latency: 0 });
  }

  /** From now on no request to this path arrives. */
  async cutOnly(path: string): Promise<void> {
    await this.session.send('Network.setBlockedURLs', { urls: [`*${path}`] });
  }

  async restore(): Promise<void> {
    await this.session.send('Network.setBlockedURLs', { urls: [] });
    await this.emulate({ offline: false, latency: 0 });
  }

  private async emulate(conditions: { offline: boolean; latency: number }): Promise<void> {
    await this.session.send('Network.emulateNetworkConditions', {
      ...conditions,
      downloadThroughput: UNLIMITED,
      uploadThroughput: UNLIMITED,
    });
  }
}
