import { db } from '@/lib/db/database';
import { startPass } from '@/lib/features/reconciliation/schedule-passes';
import { HOUR_MS, MINUTE_MS } from '@/lib/time';
import type { Pipeline } from './pipeline';

const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

/** The steps of tests about changes that no webhook reported. */
export class MissedChanges {
  private readonly created: string[] = [];

  constructor(readonly pipeline: Pipeline) {}

  private notion(method: string, path: string, body?: unknown) {
    return this.pipeline.story.product.control('notion', method, path, body);
  }

  /** Changes a row without a webhook, as if minutes ago. */
  async edit(page: string, properties: Record<string, unknown>, minutesAgo = 5, as = 'mira'): Promise<void> {
    const body = { page, as, database: 'Sprint board', properties, at: ago(minutesAgo * MINUTE_MS) };
    await this.unheard(() => this.notion('PATCH', '/rows', body));
  }

  /** Adds a row without a webhook, as if minutes ago. Returns its id. */
  async create(properties: Record<string, unknown>, minutesAgo = 5): Promise<string> {
    const body = { database: 'Sprint board', properties, at: ago(minutesAgo * MINUTE_MS) };
    let id = '';
    await this.unheard(async () => {
      id = (await this.notion('POST', '/rows', body)).id;
    });
    this.created.push(id);
    return id;
  }

  /** Deletes the rows that tests have added. */
  async clear(): Promise<void> {
    for (const page of this.created.splice(0))
      await this.unheard(() => this.notion('POST', '/rows/trash', { page }));
  }

  /** Makes a change while webhooks are paused. */
  async unheard(change: () => Promise<unknown>): Promise<void> {
    await this.notion('PATCH', '/settings', { webhooksPaused: true });
    await this.pipeline.told(change);
    await this.notion('PATCH', '/settings', { webhooksPaused: false });
  }

  /** Makes rules two days old, and the last comparison of databases this old. */
  async lookedAt(minutesAgo: number): Promise<void> {
    const at = ago(minutesAgo * MINUTE_MS);
    await db().rule.updateMany({ data: { createdAt: ago(48 * HOUR_MS) } });
    await db().notionDatabase.updateMany({ data: { checkpointAt: at, schemaCheckedAt: new Date() } });
  }

  /** Runs a pass over the first workspace and waits until everything that follows is done. */
  async pass(): Promise<void> {
    await startPass(db(), await this.workspace());
    await this.pipeline.idle();
  }

  workspace() {
    return db().notionWorkspace.findFirstOrThrow({ orderBy: { connectedAt: 'asc' } });
  }

  async workspaceId(): Promise<string> {
    return (await this.workspace()).id;
  }

  /** How often a database was queried since the recorded calls were last cleared. */
  async queries(dataSourceId = this.pipeline.story.board.dataSourceId): Promise<number> {
    const calls: Record<string, number> = await this.notion('GET', '/calls');
    return calls[`POST /v1/data_sources/${dataSourceId}/query`] ?? 0;
  }
}
