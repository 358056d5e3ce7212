import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { sendMessage, withoutReference } from '@/lib/integrations/discord/discord-messages';
import { Channels } from '@/lib/testing/channels';
import { Pipeline } from '@/lib/testing/pipeline';
import { startConnectedProduct } from '@/lib/testing/product';
import { addCardsOfRule } from '@/lib/testing/waiting-cards';
import { MINUTE_MS } from '@/lib/time';
import { findPosted } from './find-posted';

const SEND_MESSAGES = String(1n << 11n);
let pipeline: Pipeline;
let channels: Channels;

beforeAll(async () => {
  pipeline = new Pipeline(await startConnectedProduct());
  channels = new Channels(pipeline);
});
afterAll(() => pipeline.story.product.stop());
beforeEach(async () => {
  await pipeline.story.product.rest();
  await db().$executeRaw`delete from graphile_worker._private_jobs`;
  await pipeline.clear();
});

/** Makes the attempts so far ten minutes old, so that Discord no longer knows their nonces. */
async function forgetNonces(): Promise<void> {
  await db().$executeRaw`update message set tried_at = tried_at - interval '10 minutes'`;
  const clock = `${pipeline.story.product.sandbox.context.urls.discord}/_sandbox/clock`;
  await fetch(clock, { method: 'POST', body: JSON.stringify({ advanceMs: 10 * MINUTE_MS }) });
}

describe('an attempt whose outcome is unknown', () => {
  /** Discord posts the card and hangs up; by the next attempt it has forgotten the nonce. */
  async function lostAnswer(...cards: string[]): Promise<void> {
    await channels.waiting('tasks', ...cards);
    pipeline.fault({ target: 'discord', match: 'POST .*/messages', kind: 'hangup' });
    await channels.drain();
    await forgetNonces();
  }

  test('is searched for in the channel when Discord no longer knows the nonce, so that no second card is posted', async () => {
    await lostAnswer('lost and found', 'behind it');
    await channels.deliver();
    expect(await channels.contents('tasks')).toEqual(['lost and found', 'behind it']);
    const [first] = await pipeline.cards();
    const [sent] = await db().message.findMany({ orderBy: { sequence: 'asc' } });
    expect(sent).toMatchObject({ state: 'sent', discordMessageId: first.id, sealedBody: null });
    expect(await channels.used()).toBe(2);
  });

  test('was sent and counts once, also when the trial ends before the next attempt', async () => {
    await channels.waiting('tasks', 'posted', 'never posted');
    pipeline.fault({ target: 'discord', match: 'POST .*/messages', kind: 'hangup' });
    await channels.drain();
    const where = { subject: { endsWith: '101' } };
    const { trialEndsAt } = await db().account.findFirstOrThrow({ where });
    await db().account.updateMany({ where, data: { trialEndsAt: new Date(Date.now() - 1000) } });
    await channels.deliver();
    await db().account.updateMany({ where, data: { trialEndsAt } });
    const [card, notice, ...more] = await channels.contents('tasks');
    expect([card, more]).toEqual(['posted', []]);
    expect(notice).toContain('1 notification was held back');
    expect(await channels.states()).toEqual([
      ['sent', null],
      ['held', 'The trial has ended. Posting resumes with a subscription.'],
    ]);
    expect(await db().usagePeriod.findFirst()).toMatchObject({ sent: 1, reserved: 1 });
  });

  test('was sent, also when the other notifications of the period are used before the next attempt', async () => {
    await channels.waiting('tasks', 'posted', 'never posted');
    pipeline.fault({ target: 'discord', match: 'POST .*/messages', kind: 'hangup' });
    await channels.drain();
    await addCardsOfRule((await db().rule.findFirstOrThrow()).id, ['too late']);
    await db().usagePeriod.updateMany({ data: { reserved: 1000, sent: 998 } });
    await channels.deliver();
    expect((await channels.contents('tasks')).slice(0, 2)).toEqual(['posted', 'never posted']);
    expect((await channels.states()).map(([state]) => state)).toEqual(['sent', 'sent', 'held']);
    expect(await db().usagePeriod.findFirst()).toMatchObject({ sent: 1000, reserved: 1000 });
  });

  test('of two cards with the same text is searched for separately', async () => {
    await lostAnswer('twin', 'twin');
    await channels.deliver();
    expect(await channels.contents('tasks')).toEqual(['twin', 'twin']);
    expect(await channels.states()).toEqual(Array(2).fill(['sent', null]));
    expect(await channels.used()).toBe(2);
  });

  test('is not mistaken for another card with the same text', async () => {
    await channels.waiting('tasks', 'same');
    await channels.deliver();
    await pipeline.story.product.rest();
    pipeline.fault({ target: 'discord', match: 'POST .*/messages', kind: 'fail', status: 500 });
    await channels.waiting('tasks', 'same');
    await channels.drain();
    await db().$executeRaw`update message set tried_at = tried_at - interval '10 minutes'`;
    await channels.deliver();
    expect(await channels.contents('tasks')).toEqual(['same', 'same']);
  });

  test('is not mistaken for a card with the same text that was posted just before it', async () => {
    await channels.waiting('tasks', 'twin', 'twin');
    // As when the worker was killed before it sent the first one.
    await db().$executeRaw`update message set tried_at = now() - interval '10 minutes'`;
    await channels.deliver();
    expect(await channels.contents('tasks')).toEqual(['twin', 'twin']);
    const sent = await db().message.findMany({ orderBy: { sequence: 'asc' } });
    const cards = await pipeline.cards();
    expect(sent.map(({ discordMessageId }) => discordMessageId)).toEqual(cards.map(({ id }) => id));
    expect(await channels.used()).toBe(2);
  });

  test('counts when its message was deleted before the next attempt', async () => {
    await channels.waiting('tasks', 'one');
    pipeline.fault({ target: 'discord', match: 'POST .*/messages', kind: 'hangup' });
    await channels.drain();
    const [{ id }] = await pipeline.cards();
    const { discord } = pipeline.story.product.sandbox.context.credentials;
    await fetch(
      `${process.env['DISCORD_API_URL']}/channels/${pipeline.story.channel('tasks')}/messages/${id}`,
      {
        method: 'DELETE',
        headers: {
          authorization: `Bot ${discord.botToken}`,
          'user-agent': 'DiscordBot (https://a.example, 1.0)',
        },
      },
    );
    await channels.deliver();
    expect(await channels.states()).toEqual([['sent', null]]);
    expect(await db().channelProblem.count()).toBe(0);
    expect(await channels.used()).toBe(1);
  });
});

describe('a card that may have been posted when its channel is closed', () => {
  const REASON = 'The bot may not send messages in the channel.';
  const DOUBT = 'The card may have been posted.';
  const overwrite = (deny: string) =>
    pipeline.story.product.control(
      'discord',
      'PUT',
      `/channels/${pipeline.story.channel('tasks')}/overwrite`,
      {
        deny,
      },
    );

  /** A card whose answer was lost, and one behind it, in a channel that has been closed. Returns their rule. */
  async function closedChannel(): Promise<string> {
    const rule = await channels.waiting('tasks', 'posted');
    pipeline.fault({ target: 'discord', match: 'POST .*/messages', kind: 'hangup' });
    await channels.drain();
    await addCardsOfRule(rule, ['never posted']);
    await overwrite(SEND_MESSAGES);
    await channels.deliver();
    return rule;
  }

  async function resendAll(rule: string): Promise<void> {
    const failed = await db().message.findMany({ where: { state: 'failed' }, orderBy: { sequence: 'asc' } });
    for (const { id } of failed) {
      const path = `/api/app/rules/${rule}/deliveries/${id}/resend`;
      expect((await pipeline.story.product.call('mira', 'POST', path)).status).toBe(200);
    }
    await pipeline.idle();
  }

  async function everyCardOnce(): Promise<void> {
    expect(await channels.contents('tasks')).toEqual(['posted', 'never posted']);
    expect(await channels.states()).toEqual(Array(2).fill(['sent', null]));
    expect(await db().usagePeriod.findFirst()).toMatchObject({ sent: 2, reserved: 2 });
  }

  test('fails with a note that it may have been posted; a card that was never sent fails without it', async () => {
    await closedChannel();
    expect(await channels.contents('tasks')).toEqual(['posted']);
    expect(await channels.states()).toEqual([
      ['failed', `${REASON} ${DOUBT}`],
      ['failed', REASON],
    ]);
    expect(await db().usagePeriod.findFirst()).toMatchObject({ sent: 0, reserved: 0 });
  });

  test('is recognised by its nonce when it is sent again soon', async () => {
    const rule = await closedChannel();
    await overwrite('0');
    await pipeline.lookAnew();
    await resendAll(rule);
    await everyCardOnce();
  });

  test('is found in the channel when it is sent again late, also when that is refused at first', async () => {
    const rule = await closedChannel();
    await forgetNonces();
    await resendAll(rule);
    expect((await channels.states()).map(([, reason]) => reason)).toEqual([`${REASON} ${DOUBT}`, REASON]);
    await overwrite('0');
    await pipeline.lookAnew();
    await resendAll(rule);
    await everyCardOnce();
  });

  test('has that note too when the channel is gone', async () => {
    await channels.waiting('tasks', 'posted');
    pipeline.fault({ target: 'discord', match: 'POST .*/messages', kind: 'hangup' });
    await channels.drain();
    pipeline.fault({ target: 'discord', match: 'POST .*/messages', kind: 'fail', status: 404 });
    await channels.deliver();
    expect(await channels.states()).toEqual([['failed', `The channel was deleted. ${DOUBT}`]]);
  });
});

test('a reply is found although it was posted as a message of its own, where Discord takes no replies', async () => {
  const account = await db().account.findFirstOrThrow({ where: { subject: { endsWith: '101' } } });
  const channelId = pipeline.story.channel('tasks');
  const author = '208917000000000102';
  const reply = {
    content: 'Done by Mira Castellan',
    message_reference: { message_id: '1101000000000009999', fail_if_not_exists: false },
    allowed_mentions: { parse: [], users: [author], replied_user: true },
  };
  const plain = withoutReference(reply);
  expect(plain).toEqual({
    content: `<@${author}> Done by Mira Castellan`,
    allowed_mentions: { parse: [], users: [author] },
  });
  const by = { accountId: account.id };
  const { messageId } = await sendMessage(channelId, { ...plain, nonce: 'as a message' }, by);
  expect(await findPosted(account.id, channelId, new Date(), reply)).toBe(messageId);
});
