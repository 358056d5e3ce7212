import { request as http } from '@playwright/test';
import { Client } from 'pg';
import type { Fault } from '../sandbox/faults';
import type { Product } from './start-product';

/** The switches behind the journeys: the sandbox's control calls and a clean database. */
export class ProductControl {
  constructor(readonly product: Product) {}

  /** Every service as seeded, no fault active, no account in the database. */
  async reset(): Promise<void> {
    await this.call('identity', 'POST', '/_sandbox/reset');
    await this.call('identity', 'POST', '/_sandbox/identity', { accessTokenSeconds: 3600 });
    await this.emptyDatabase();
  }

  async fault(fault: Partial<Fault> & Pick<Fault, 'target' | 'kind'>): Promise<void> {
    await this.call('identity', 'POST', '/_sandbox/faults', fault);
  }

  async clearFaults(): Promise<void> {
    await this.call('identity', 'DELETE', '/_sandbox/faults');
  }

  /** Makes the access tokens issued from now on short-lived. */
  async setAccessTokenSeconds(accessTokenSeconds: number): Promise<void> {
    await this.call('identity', 'POST', '/_sandbox/identity', { accessTokenSeconds });
  }

  /** Ends every refresh token and session at the identity provider. */
  async revokeLogins(): Promise<void> {
    await this.call('identity', 'POST', '/_sandbox/identity/revoke');
  }

  /** A control call of one stand-in; answers its JSON. */
  async call(
    service: keyof Product['sandbox'],
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    data?: object,
  ): Promise<unknown> {
    const context = await http.newContext();
    try {
      const response = await context.fetch(`${this.product.sandbox[service]}${path}`, { method, data });
      if (!response.ok()) throw new Error(`${method} ${path}: ${response.status()} ${await response.text()}`);
      return await response.json().catch(() => undefined);
    } finally {
      await context.dispose();
    }
  }

  /** Makes the trial of every account have ended a minute ago. */
  async endTrial(): Promise<void> {
    await this.query("UPDATE account SET trial_ends_at = now() - interval '1 minute'");
  }

  private async emptyDatabase(): Promise<void> {
    // Everything else hangs on the account.
    await this.query(
      'DELETE FROM graphile_worker._private_jobs WHERE locked_at IS NULL',
      'DELETE FROM account',
      'DELETE FROM spent_trial',
      // The reset Discord has forgotten the commands, which the product registers when it starts.
      "SELECT graphile_worker.add_job('register-commands', job_key => 'register-commands')",
    );
  }

  private async query(...statements: string[]): Promise<void> {
    const client = new Client({ connectionString: this.product.databaseUrl });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  }
}
