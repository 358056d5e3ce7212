import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { CardStory } from '@/lib/testing/card-story';
import { notionEvent, postToNotionDoor } from '@/lib/testing/signed-calls';
import { PEOPLE } from '../../sandbox/people';

const STATUSES = ['Backlog', 'In progress', 'In review', 'Done'];
const JONAS = PEOPLE.find(({ key }) => key === 'jonas')?.notionId ?? '';

let story: CardStory;

beforeAll(async () => {
  story = await CardStory.start();
});
afterAll(() => story.product.stop());

interface Move {
  /** With a button in #tasks, or in Notion. */
  isFromChat: boolean;
  status: number;
  /** Which of the events that have not arrived arrives next. */
  comes: number | null;
}

const moves = fc.array(
  fc.record<Move>({
    isFromChat: fc.boolean(),
    status: fc.nat({ max: STATUSES.length - 1 }),
    comes: fc.option(fc.nat()),
  }),
  { minLength: 2, maxLength: 6 },
);

test('a channel is told whatever others are told, but for what was written from it', async () => {
  const { product, board, property } = story.connected;
  const { botId } = await db().notionWorkspace.findFirstOrThrow({ orderBy: { connectedAt: 'asc' } });
  await fc.assert(
    fc.asyncProperty(moves, async (given) => {
      product.sandbox.context.faults.clear();
      const title = randomUUID();
      const posted = await story.card(title);
      const rows: { id: string; title: string }[] = await product.control(
        'notion',
        'GET',
        `/rows?database=${board.id}`,
      );
      const pageId = rows.find((row) => row.title === title)?.id ?? '';
      // Only what the test sends arrives.
      const fault = { target: 'notion.webhook', kind: 'drop', times: 0, status: 500, delayMs: 0 } as const;
      product.sandbox.context.faults.add(fault);
      const late: string[] = [];
      const written = new Set<string>();
      const deliver = async (which: number) => {
        const [author] = late.splice(which % late.length, 1);
        if (!author) return;
        const about = {
          pageId,
          dataSourceId: board.dataSourceId,
          bots: [botId],
          updated: [property('Status')],
        };
        const answer = await postToNotionDoor(
          product,
          JSON.stringify(notionEvent({ ...about, authors: [author] })),
        );
        expect(answer.status).toBe(200);
        await story.idle();
      };
      for (const { isFromChat, status, comes } of given) {
        const to = STATUSES[status] ?? '';
        if ((await story.row(title))?.['Status'] === to) continue;
        if (isFromChat) {
          await story.setStatus(story.mira, posted, to);
          written.add(to);
        } else {
          await product.control('notion', 'PATCH', '/rows', {
            page: title,
            as: 'jonas',
            properties: { Status: to },
          });
        }
        late.push(isFromChat ? botId : JONAS);
        if (comes !== null) await deliver(comes);
      }
      while (late.length > 0) await deliver(0);
      const told = async (channel: string) =>
        (await story.cards(channel, title))
          .slice(1)
          .map(({ embeds }) => embeds[0].description.split('\n')[0].slice('Status: '.length).split(' → ')[1]);
      const isNews = (status: string) => !written.has(status);
      expect((await told('tasks')).filter(isNews)).toEqual((await told('general')).filter(isNews));
      const last = (await told('general')).at(-1) ?? 'Backlog';
      expect(last).toBe((await story.row(title))?.['Status']);
    }),
    { numRuns: 12 },
  );
});
