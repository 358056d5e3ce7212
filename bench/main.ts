import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { type Lifetime, runWithLifetime } from '../scripts/lifetime';
import { PlainError } from '../scripts/plain-error';
import { startBenchProduct } from './bench-product';
import { tellStory } from './bench-story';
import { measureAcknowledgement, measurePressToCard } from './chat';
import { morningRows } from './due-summaries';
import { measureEditToCard } from './edit-to-card';
import { measureLimits } from './limits';
import { quietRows } from './living-cards';
import { flatRows } from './many-rules';
import { metricRows } from './metrics';
import { neighbourRows } from './neighbours';
import { measurePages, scorePages } from './pages';
import { burstRows, coldRows, doorRows, farBurstRows, unmatchedRows } from './pipeline-rows';
import { recoveryRows } from './recovery';
import { restartRows } from './restarts';
import { below, type Row, toRow } from './row';
import { Sender } from './sender';
import { FAR, NEAR, ONE_ACCOUNT, type Setting } from './setting';
import { type Stage, startStage } from './stage';
import { FAR_STEADY, idleRows, NEAR_STEADY, steadyRows } from './steady';
import { tryRows } from './try-rule';
import { viewRows } from './views';

const RESULTS = 'bench/results';
const LATEST = `${RESULTS}/latest.json`;
const PRESSES = 20;
const EDITS = 60;
const ROUNDS = 5;
const FEW_ROUNDS = 2;

type Measure = (lifetime: Lifetime) => Promise<object[]>;

const stages = new Map<Setting, Promise<Stage>>();

function onStage(setting: Setting, measure: (stage: Stage) => Promise<Row[]>): Measure {
  return async (lifetime) => {
    const stage = stages.get(setting) ?? startStage(lifetime, setting);
    stages.set(setting, stage);
    return measure(await stage);
  };
}

/** Everything that can be measured, by the name that selects it alone. */
const ROWS: Record<string, Measure> = {
  door: onStage(NEAR, doorRows),
  'burst-500': onStage(NEAR, (stage) => burstRows(stage, 500, ROUNDS)),
  'burst-5000': onStage(NEAR, (stage) => burstRows(stage, 5000, FEW_ROUNDS)),
  steady: onStage(NEAR, (stage) => steadyRows(stage, NEAR_STEADY)),
  unmatched: onStage(NEAR, unmatchedRows),
  flat: (lifetime) => flatRows(lifetime, ONE_ACCOUNT),
  quiet: (lifetime) => quietRows(lifetime, NEAR),
  morning: morningRows,
  'far-door': onStage(FAR, doorRows),
  'far-burst-500': onStage(FAR, (stage) => burstRows(stage, 500, ROUNDS, {})),
  'far-burst-5000': onStage(FAR, (stage) => farBurstRows(stage, 5000, FEW_ROUNDS)),
  'far-steady': onStage(FAR, (stage) => steadyRows(stage, FAR_STEADY)),
  'far-unmatched': onStage(FAR, unmatchedRows),
  'far-flat': (lifetime) => flatRows(lifetime, FAR),
  cold: onStage(FAR, (stage) => coldRows(stage, FEW_ROUNDS)),
  idle: onStage(FAR, idleRows),
  limits: async (lifetime) => measureLimits(await startBenchProduct(lifetime), lifetime),
  story: storyRows,
  neighbours: async (lifetime) => neighbourRows(await startBenchProduct(lifetime), lifetime),
  metrics: (lifetime) => metricRows(lifetime, FAR),
  restarts: restartRows,
  try: async (lifetime) => tryRows(await startBenchProduct(lifetime)),
  views: async (lifetime) => viewRows(await startBenchProduct(lifetime)),
  pages: measurePages,
  scores: scorePages,
  recovery: recoveryRows,
};

/** The whole product with the strict stand-ins, set up as in the demo. */
async function storyRows(lifetime: Lifetime): Promise<Row[]> {
  const product = await startBenchProduct(lifetime);
  const story = await tellStory(product, 1);
  const edited = await measureEditToCard(product, story, EDITS);
  const sender = Sender.start(lifetime);
  const acknowledge = (rounds: number, perRound: number) =>
    measureAcknowledgement(product, story, sender, { rounds, perRound, inFlight: 50 });
  await acknowledge(5, 50);
  const together = await acknowledge(20, 50);
  const pressing = await acknowledge(10, 200);
  const pressed = await measurePressToCard(product, story, PRESSES);
  return [
    toRow('an edit in the strict stand-in to its card, median', { figure: edited.median, unit: 'ms' }),
    toRow(
      'interaction acknowledged, 50 in flight, 99th percentile',
      { figure: together.p99, unit: 'ms' },
      below(100, 'ms'),
    ),
    toRow(
      'the same, each answer followed by the next call',
      { figure: pressing.p99, unit: 'ms' },
      below(100, 'ms'),
    ),
    toRow(
      'button to changed card, Notion at 200 ms, median',
      { figure: pressed.median, unit: 'ms' },
      below(700, 'ms'),
    ),
  ];
}

function chooseRows(given: string[]): string[] {
  const unknown = given.find((name) => !(name in ROWS));
  if (unknown) {
    throw new PlainError(`There is no row "${unknown}". There are: ${Object.keys(ROWS).join(', ')}.`);
  }
  return given.length > 0 ? given : Object.keys(ROWS);
}

/** Stores the rows; those that were not measured this time keep their previous values. */
function keep(rows: Record<string, object[]>): void {
  mkdirSync(RESULTS, { recursive: true });
  const machine = { node: process.version, processors: cpus().length, model: cpus()[0]?.model };
  const measured = Object.fromEntries(
    Object.entries(rows).map(([name, each]) => [
      name,
      { at: new Date().toISOString(), ...machine, rows: each },
    ]),
  );
  let before = {};
  try {
    before = JSON.parse(readFileSync(LATEST, 'utf8'));
  } catch {
    // The first run on this machine.
  }
  writeFileSync(LATEST, `${JSON.stringify({ ...before, ...measured }, null, 2)}\n`);
}

runWithLifetime(async (lifetime) => {
  const names = chooseRows(process.argv.slice(2));
  const rows: Record<string, object[]> = {};
  for (const name of names) {
    rows[name] = (await ROWS[name]?.(lifetime)) ?? [];
    console.table(rows[name]);
    keep(rows);
  }
  await lifetime.end(0);
});
