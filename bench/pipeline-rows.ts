import { type Burst, describeTally, measureBurst, type Tally } from './burst';
import type { Target } from './floors';
import { figures } from './measure';
import { type Aim, atLeastOfFloor, atMostOfFloor, below, type Row, toRow } from './row';
import { mostCardsPerSecond } from './setting';
import { onEach, type Stage } from './stage';

const DOOR_EVENTS = 4000;
const DOOR_IN_FLIGHT = 16;
const UNMATCHED_EVENTS = 10_000;
const COLD_EVENTS = 500;

/** Webhooks verified, committed and acknowledged: alone, and while all the work behind the door is in progress. */
export async function doorRows(stage: Stage): Promise<Row[]> {
  const alone = await measureDoors(stage, { cards: 0, isUnwatched: true });
  const working = await measureDoors(stage, {});
  const toRows = (what: string, { product, committing, forgetful }: typeof alone) => [
    toRow(
      what,
      {
        figure: product.perSecond,
        unit: '/s',
        committing: committing.perSecond,
        forgetful: forgetful.perSecond,
      },
      atLeastOfFloor(0.5),
    ),
    toRow(
      `${what}, 99th percentile`,
      { figure: product.p99, unit: 'ms', committing: committing.p99, forgetful: forgetful.p99 },
      below(100, 'ms'),
    ),
  ];
  return [
    ...toRows('webhooks acknowledged, 16 in flight', alone),
    ...toRows('webhooks acknowledged, 16 in flight, while each becomes a card', working),
  ];
}

function measureDoors({ pipeline, targets }: Stage, options: Parameters<typeof measureBurst>[3]) {
  return onEach(targets, async (target) => {
    const { doorMs } = await measureBurst(pipeline, target, DOOR_EVENTS, {
      ...options,
      inFlight: DOOR_IN_FLIGHT,
    });
    // Every connection was always busy, so the duration of the calls gives the rate.
    const perSecond = (DOOR_IN_FLIGHT * 1000 * doorMs.length) / doorMs.reduce((sum, ms) => sum + ms, 0);
    return { perSecond, ...figures(doorMs) };
  });
}

/** The aims of a burst. */
interface BurstAims {
  rate?: Aim;
  cpu?: Aim;
  most?: Aim;
  left?: Aim;
}

/** Aims of a burst with upstreams that answer at once. */
const NEAR_AIMS: BurstAims = {
  rate: atLeastOfFloor(0.5),
  cpu: atMostOfFloor(3),
  most: below(350, 'MB'),
};

/** From the first webhook of a burst to its last card. The targets take turns, so conditions are the same for all. */
export async function burstRows(
  stage: Stage,
  events: number,
  rounds: number,
  aims = NEAR_AIMS,
): Promise<Row[]> {
  return toBurstRows(`event to card, burst of ${events}`, await measureRounds(stage, events, rounds), aims);
}

/** A long burst in which the order within each channel, not the machine, limits the rate. */
export function farBurstRows(stage: Stage, events: number, rounds: number): Promise<Row[]> {
  const most = mostCardsPerSecond(stage.pipeline.setting);
  const rate = {
    text: `≥ 0.9 × ${most} /s, what the channels' order allows`,
    isMet: (figure: number) => figure >= 0.9 * most,
  };
  return burstRows(stage, events, rounds, { rate, cpu: atMostOfFloor(2.5), left: below(200, 'MB') });
}

/** The first events after a start. */
export async function coldRows(stage: Stage, rounds: number): Promise<Row[]> {
  const bursts = await measureRounds(stage, COLD_EVENTS, rounds, (target) => target.restart());
  const what = `event to card, the first ${COLD_EVENTS} after a start`;
  return toBurstRows(what, bursts, { rate: atLeastOfFloor(0.5) });
}

type Bursts = Record<Target['name'], Burst[]>;

async function measureRounds(
  { pipeline, targets }: Stage,
  events: number,
  rounds: number,
  prepare = async (_: Target) => {},
): Promise<Bursts> {
  const bursts: Bursts = { product: [], committing: [], forgetful: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const target of targets) {
      await prepare(target);
      bursts[target.name].push(await measureBurst(pipeline, target, events));
    }
  }
  return bursts;
}

function toBurstRows(what: string, bursts: Bursts, aims: BurstAims): Row[] {
  const median = (name: Target['name'], of: (burst: Burst) => number) => figures(bursts[name].map(of)).median;
  const columns = (of: (burst: Burst) => number) => ({
    figure: median('product', of),
    committing: median('committing', of),
    forgetful: median('forgetful', of),
  });
  const memory = (of: (burst: Burst) => number) => ({
    figure: Math.max(...bursts.product.map(of)),
    committing: median('committing', of),
    unit: 'MB',
  });
  const cards = describeTally(addUp(bursts.product.map((burst) => burst.cards)));
  return [
    toRow(what, { ...columns(({ rate }) => rate), unit: '/s', note: cards }, aims.rate),
    toRow(`${what}, processor time of an event`, { ...columns(({ cpuMs }) => cpuMs), unit: 'ms' }, aims.cpu),
    toRow(
      `${what}, memory of web and worker`,
      memory((burst) => burst.residentMb),
      aims.most,
    ),
    toRow(
      `${what}, memory of web and worker afterwards`,
      memory((burst) => burst.leftMb),
      aims.left,
    ),
  ];
}

/** The cost of an event that posts no card. */
export async function unmatchedRows({ pipeline, targets }: Stage): Promise<Row[]> {
  const [product] = targets;
  if (!product) return [];
  const ofOthers = await measureBurst(pipeline, product, UNMATCHED_EVENTS, {
    cards: 0,
    updated: ['another'],
  });
  const withoutRules = await measureBurst(pipeline, product, UNMATCHED_EVENTS, {
    cards: 0,
    isUnwatched: true,
  });
  return [
    toRow(
      'processor time of an event of a database without rules',
      { figure: withoutRules.cpuMs, unit: 'ms' },
      below(1, 'ms'),
    ),
    toRow(
      'processor time of an event that matches no rule of its database',
      { figure: ofOthers.cpuMs, unit: 'ms' },
      below(1, 'ms'),
    ),
  ];
}

function addUp(tallies: Tally[]): Tally {
  return tallies.reduce((sum, each) => ({
    expected: sum.expected + each.expected,
    once: sum.once + each.once,
    doubled: sum.doubled + each.doubled,
  }));
}
