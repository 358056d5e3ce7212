import type { CDPSession, Page } from '@playwright/test';

const UNLIMITED = -1;

/** The network of one tab, cut with Chromium's developer tools. */
export class Network {
  private constructor(private readonly session: CDPSession) {}

  static async of(page: Page): Promise<Network> {
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    return new Network(session);
  }

  /** From now on no request arrives, not even those in progress. */
  async cut(): Promise<void> {
    await this.emulate(true);
  }

  /** From now on no request to this path arrives. */
  async cutOnly(path: string): Promise<void> {
    await this.session.send('Network.setBlockedURLs', { urls: [`*${path}`] });
  }

  async restore(): Promise<void> {
    await this.session.send('Network.setBlockedURLs', { urls: [] });
    await this.emulate(false);
  }

  private async emulate(offline: boolean): Promise<void> {
    await this.session.send('Network.emulateNetworkConditions', {
      offline,
      latency: 0,
      downloadThroughput: UNLIMITED,
      uploadThroughput: UNLIMITED,
    });
  }
}
