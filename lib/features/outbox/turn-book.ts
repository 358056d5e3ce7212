import { log } from '@/lib/log';
import { whileLeased } from '@/lib/queue/while-leased';
import { freeAfterAnswer, type Slot } from '../calls/send-slots';
import type { ChannelTurn, WaitingMessage } from './claim-channels';
import { recordCalls } from './record-calls';
import type { CallRecord } from './record-sql';

// A turn in which Discord answers slowly is written down in between, so that the log of deliveries is not behind.
const WRITE_AFTER_MS = 100;

/** What has become of the messages of one turn, as far as it is not written down yet. */
export class TurnBook {
  private open: Pick<CallRecord, 'sent' | 'slots' | 'blocks'> = { sent: [], slots: [], blocks: [] };
  private openSince = 0;
  private readonly unused: Map<Slot, number>;
  private writing: Promise<unknown> = Promise.resolve();

  constructor(private readonly turn: ChannelTurn) {
    this.unused = new Map(turn.messages.map(({ slot, startAt }) => [slot, startAt]));
  }

  /** A call was made with a slot, and answered or given up. */
  answered(slot: Slot): void {
    this.unused.delete(slot);
    this.open.slots.push({ slot, freeAt: freeAfterAnswer() });
  }

  /** Discord has confirmed a message. Its id is null when it was posted and has been deleted since. */
  sent({ id, at }: WaitingMessage, discordMessageId: string | null, periodStart: Date | null): void {
    if (this.open.sent.length === 0) this.openSince = performance.now();
    const accountId = this.turn.account.id;
    this.open.sent.push({ id, at, accountId, discordMessageId, periodStart });
    if (performance.now() - this.openSince < WRITE_AFTER_MS) return;
    this.flush().catch((err) =>
      log.error({ err, channelId: this.turn.channelId }, 'sent messages not noted'),
    );
  }

  /** Discord allows no call of a kind for so long. Returns until when. */
  block(key: string, forMs: number): number {
    const until = performance.now() + forMs;
    this.open.blocks.push({ key, until });
    return until;
  }

  /** Writes down what is open. Whoever ends messages of the channel that wait does this first: some may be sent. */
  async flush(): Promise<void> {
    const { sent, slots, blocks } = this.open;
    if (sent.length + slots.length + blocks.length > 0) await this.write(null, 0);
    else await this.writing;
  }

  /** Writes down everything, gives the unused slots back and ends the turn. Returns whether messages wait. */
  async end(resumeAt: number): Promise<boolean> {
    // One that was taken before its time is not free before it.
    for (const [slot, freeAt] of this.unused) this.open.slots.push({ slot, freeAt });
    return this.write(this.turn, resumeAt);
  }

  private async write(ended: ChannelTurn | null, resumeAt: number): Promise<boolean> {
    const record = { ...this.open, ended, resumeAt };
    this.open = { sent: [], slots: [], blocks: [] };
    const before = this.writing;
    const writing = before.then(() => whileLeased(this.turn, () => recordCalls(record)));
    this.writing = writing;
    return writing;
  }
}
