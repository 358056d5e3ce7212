import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { sealSummary } from '../lib/features/matching/summary';

const TOPICS = [
  'Boss fight',
  'Salt caves',
  'Dodge window',
  'Lantern',
  'Ash storm',
  'Controller rumble',
  'Map',
];
const WORK = [
  'tuning',
  'crash when an old save is loaded on the slowest console that we still support',
  'lighting',
  'voice lines for all eleven languages, with those that were cut from the second chapter before the demo',
  'intro',
  'level_03_final_final_approved_v2_export_4k_without_sound.mov',
];
const OUTCOMES = ['message', 'property_not_watched', 'message', 'filtered_by_status', 'unchanged'];

/** The title of the nth page of the history; all differ, and some are long. */
export const titleInHistory = (n: number) => `${TOPICS[n % 7]}: ${WORK[n % 6]} ${n}`;

/** Adds events, ten minutes apart, to every rule's log: some posted, some not. Needs the keys in the environment. */
export async function addHistory(client: Client, count: number): Promise<void> {
  const { rows } = await client.query('SELECT id FROM rule');
  for (const { id: ruleId } of rows) {
    const entries = Array.from({ length: count }, (_, index) => {
      const changes = [{ name: 'Status', before: 'Up next', after: index % 2 ? 'In progress' : 'Done' }];
      const summary = {
        title: titleInHistory(index + 1),
        url: 'https://notion.so/page',
        changes,
        moreChanges: 0,
      };
      const id = randomUUID();
      return {
        id,
        sealed: Buffer.from(sealSummary(id, summary)),
        outcome: OUTCOMES[index % OUTCOMES.length],
      };
    });
    await client.query(
      `WITH made AS (
         INSERT INTO decision (id, event_at, account_id, rule_id, event_id, page_id, outcome, message_id, sealed_summary)
         SELECT e.id, now() - (${count} - n) * interval '10 minutes', account_id, rule.id, 'made-' || n, 'page-' || n,
           outcome, CASE outcome WHEN 'message' THEN e.id END, sealed
         FROM rule, unnest($2::uuid[], $3::bytea[], $4::decision_outcome[]) WITH ORDINALITY e(id, sealed, outcome, n)
         WHERE rule.id = $1 ORDER BY n RETURNING *)
       INSERT INTO message (id, at, sequence, account_id, source_id, target_id, state, attempts, finished_at)
         SELECT made.id, event_at, sequence, made.account_id, rule_id, channel_id, 'sent', 1, event_at
         FROM made JOIN rule ON rule.id = rule_id WHERE outcome = 'message'`,
      [
        ruleId,
        entries.map(({ id }) => id),
        entries.map(({ sealed }) => sealed),
        entries.map(({ outcome }) => outcome),
      ],
    );
  }
}
