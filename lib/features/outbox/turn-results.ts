import { log } from '@/lib/log';
import { whileLeased } from '@/lib/queue/while-leased';
import { freeAfterResponse, type Slot } from '../calls/send-slots';
import type { ChannelTurn, WaitingMessage } from './claim-channels';
import { recordCalls } from './record-calls';
import type { CallRecord } from './record-sql';

// When Discord answers slowly, results are written during the turn too, so that the log of deliveries keeps up.
const WRITE_AFTER_MS = 100;

/** The results of one turn until they are written. */
export class TurnResults {
  private open: Pick<CallRecord, 'sent' | 'slots' | 'blocks'> = { sent: [], slots: [], blocks: [] };
  private openSince = 0;
  private readonly unused: Map<Slot, number>;
  private writing: Promise<unknown> = Promise.resolve();

  constructor(private readonly turn: ChannelTurn) {
    this.unused = new Map(turn.messages.map(({ slot, startAt }) => [slot, startAt]));
  }

  /** Notes that a call with this slot was answered or given up. */
  answered(slot: Slot): void {
    this.unused.delete(slot);
    this.open.slots.push({ slot, freeAt: freeAfterResponse() });
  }

  /**
   * Notes that Discord has confirmed a message. Its id is null when it was posted and has been deleted since. `placeId`
   * is the post that it began.
   */
  sent(
    { id, at }: WaitingMessage,
    discordMessageId: string | null,
    periodStart: Date | null,
    placeId?: string,
  ): void {
    if (this.open.sent.length === 0) this.openSince = performance.now();
    const accountId = this.turn.account.id;
    this.open.sent.push({ id, at, accountId, discordMessageId, periodStart, placeId });
    if (performance.now() - this.openSince < WRITE_AFTER_MS) return;
    this.flush().catch((err) =>
      log.error({ err, channelId: this.turn.channelId }, 'sent messages not noted'),
    );
  }

  /**
   * Notes that Discord has taken a call of a kind, and for how long it takes no further one. Returns until when; null
   * when it takes the next one at once.
   */
  taken(key: string, exhaustedForMs: number): number | null {
    if (exhaustedForMs > 0) return this.block(key, exhaustedForMs);
    // This ends the row of consecutive refusals.
    if (this.turn.wasLimited) this.block(key, 0);
    return null;
  }

  /** Notes that Discord allows no call of a kind for this long. Returns until when. */
  block(key: string, forMs: number): number {
    const until = performance.now() + forMs;
    this.open.blocks.push({ key, until });
    return until;
  }

  /**
   * Writes the results so far. Call it before ending other messages of the channel, because some of them may have been
   * sent.
   */
  async flush(): Promise<void> {
    const { sent, slots, blocks } = this.open;
    if (sent.length + slots.length + blocks.length > 0) await this.write(null, 0);
    else await this.writing;
  }

  /** Writes everything, gives unused slots back and ends the turn. Returns whether messages wait. */
  async end(resumeAt: number): Promise<boolean> {
    // A slot that was claimed ahead of its time is not free before that time.
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
