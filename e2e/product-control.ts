import { Client } from 'pg';
import { registerCommandsJob } from '../lib/features/servers/register-commands';
import { enqueueText } from '../lib/queue/enqueue';
import type { Fault } from '../sandbox/faults';
import { passDays } from '../scripts/pass-days';
import { addHistory } from './long-history';
import type { Product } from './start-product';

/** The journeys' switches: the sandbox's control calls, and changes of the database. */
export class ProductControl {
  private broken: [table: string, column: string][] = [];

  constructor(readonly product: Product) {}

  /** Every service as seeded, no active fault, no account in the database. */
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

  /** Renames a column, so that every statement that needs it fails, until `restoreColumns`. */
  async breakColumn(table: string, column: string): Promise<void> {
    this.broken.push([table, column]);
    await this.query(`ALTER TABLE ${table} RENAME COLUMN ${column} TO ${column}_gone`);
  }

  /** Toggles whether every session looks sealed with a key that no process has. */
  async toggleSessionKey(): Promise<void> {
    await this.query(
      'UPDATE auth_session SET sealed_tokens = set_byte(sealed_tokens, 1, get_byte(sealed_tokens, 1) # 255)',
    );
  }

  /** Restores the columns that `breakColumn` renamed. */
  async restoreColumns(): Promise<void> {
    const statements = this.broken.map(
      ([table, column]) => `ALTER TABLE ${table} RENAME COLUMN ${column}_gone TO ${column}`,
    );
    this.broken = [];
    await this.query(...statements);
  }

  /** Lets days pass for the application and the stand-ins, like `npm run demo:clock`. */
  async passDays(days: number): Promise<void> {
    const { databaseUrl, sandbox } = this.product;
    await passDays(days, { databaseUrl, sandboxPort: Number(new URL(sandbox.identity).port) });
  }

  /** Sets the number of messages sent in every account's current period. */
  async setSent(sent: number): Promise<void> {
    await this.query(
      `INSERT INTO usage_period (account_id, starts_at, ends_at, reserved, sent)
         SELECT id, starts_at, starts_at + interval '1 month', ${sent}, ${sent} FROM account,
           LATERAL (SELECT coalesce(paid_period_start, date_trunc('day', created_at, 'UTC')) AS starts_at) AS period
         ON CONFLICT (account_id, starts_at) DO UPDATE SET reserved = ${sent}, sent = ${sent}`,
    );
  }

  /** Gives every account a status that Stripe might invent later. */
  async setStatus(status: string): Promise<void> {
    await this.query(`UPDATE account SET status = '${status}'`);
  }

  /** Ends the subscription, and leaves the first payment of another open. */
  async openFirstPaymentAnew(): Promise<void> {
    await this.query("UPDATE account SET status = 'canceled', first_payment_open = true");
  }

  /** Sets the lifetime of access tokens issued from now on. */
  async setAccessTokenSeconds(accessTokenSeconds: number): Promise<void> {
    await this.call('identity', 'POST', '/_sandbox/identity', { accessTokenSeconds });
  }

  /** Ends every refresh token and session at the identity provider. */
  async revokeLogins(): Promise<void> {
    await this.call('identity', 'POST', '/_sandbox/identity/revoke');
  }

  /** A control call to a stand-in. Returns its JSON. */
  async call(
    service: keyof Product['sandbox'],
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    data?: object,
  ): Promise<unknown> {
    const response = await fetch(`${this.product.sandbox[service]}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: data && JSON.stringify(data),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json().catch(() => undefined);
  }

  /** Ends the trial of every account a minute ago. */
  async endTrial(): Promise<void> {
    await this.query("UPDATE account SET trial_ends_at = now() - interval '1 minute'");
  }

  /** Removes the bot from every server and the connection from every workspace, without telling the product. */
  async loseConnections(): Promise<void> {
    const guilds = (await this.call('discord', 'GET', '/_sandbox/discord/guilds')) as {
      id: string;
      hasBot: boolean;
    }[];
    for (const { id, hasBot } of guilds) {
      if (hasBot) await this.call('discord', 'DELETE', `/_sandbox/discord/guilds/${id}/bot`);
    }
    await this.call('notion', 'POST', '/_sandbox/notion/authorizations/revoke', { person: 'mira' });
    // Makes both be read again the next time.
    await this.query(
      "UPDATE discord_server SET channels_checked_at = 'epoch'",
      "UPDATE notion_workspace SET catalog_checked_at = 'epoch', catalog_asked_at = 'epoch'",
    );
  }

  /** Makes what was last read of servers too old to be reused. */
  async lookAnew(): Promise<void> {
    await this.query("UPDATE discord_server SET channels_checked_at = 'epoch'");
  }

  /** Makes Notion's last answer about comments too old to be reused. */
  async lookForComments(): Promise<void> {
    await this.query("UPDATE notion_workspace SET comments_checked_at = 'epoch'");
  }

  /** Makes only the billing page's own query fail. */
  async failBilling(): Promise<void> {
    await this.breakColumn('usage_period', 'sent');
  }

  /** Makes every link request this old. */
  async ageRequests(minutes: number): Promise<void> {
    await this.query(`UPDATE link_request SET created_at = now() - interval '${minutes} minutes 5 seconds'`);
  }

  /** Removes every link request, as if it had been decided elsewhere. */
  async forgetRequests(): Promise<void> {
    await this.query('DELETE FROM link_request');
  }

  /** Adds this many events to the log of every rule. */
  async addHistory(count: number): Promise<void> {
    Object.assign(process.env, this.product.env);
    await this.connected((client) => addHistory(client, count));
  }

  /** Marks every account as having created its first task from Discord. */
  async createFirstTask(): Promise<void> {
    await this.query('UPDATE account SET first_task_at = now()');
  }

  /** Removes the e-mail and the links of every account, and makes somebody else the installer of every workspace. */
  async becomeSomebodyElse(): Promise<void> {
    await this.query(
      'UPDATE account SET email = NULL',
      "UPDATE notion_workspace SET installer_discord_user_id = '208917000000000102'",
      'DELETE FROM account_link',
    );
  }

  /** Gives everybody and everything in Notion that name, as if just read from there, and keeps it from being read again. */
  async giveLongNames(name: string): Promise<void> {
    await this.query(
      `INSERT INTO rate_limit (key, blocked_until) SELECT 'notion:' || id, now() + interval '20 minutes'
        FROM notion_workspace ON CONFLICT (key) DO UPDATE SET blocked_until = excluded.blocked_until`,
      `UPDATE notion_workspace SET name = '${name}'`,
      `UPDATE notion_database SET name = '${name}'`,
      `UPDATE notion_user SET name = '${name}'`,
      `UPDATE account_link SET notion_display_name = '${name}'`,
      `UPDATE account SET discord_username = '${name}'`,
    );
  }

  private async emptyDatabase(): Promise<void> {
    // Everything else is deleted with the account.
    await this.query(
      'DELETE FROM graphile_worker._private_jobs WHERE locked_at IS NULL',
      'DELETE FROM account',
      'DELETE FROM trial',
      // After the reset Discord has no commands, which the product registers when it starts.
      enqueueText(registerCommandsJob),
    );
  }

  private query(...statements: string[]): Promise<void> {
    return this.connected(async (client) => {
      for (const statement of statements) await client.query(statement);
    });
  }

  private async connected(work: (client: Client) => Promise<void>): Promise<void> {
    const client = new Client({ connectionString: this.product.databaseUrl });
    await client.connect();
    try {
      await work(client);
    } finally {
      await client.end();
    }
  }
}
