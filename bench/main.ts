import { mkdirSync, writeFileSync } from 'node:fs';
import { Lifetime } from '../scripts/lifetime';
import { PlainError, run } from '../scripts/plain-error';
import { type BenchProduct, startBenchProduct } from './bench-product';
import { type BenchStory, tellStory } from './bench-story';
import { measureAcknowledgement, measurePressToCard } from './chat';
import { addCrowd, rowsRead, workOff } from './crowd';
import { measureEditToCard } from './edit-to-card';
import { measureLimits } from './limits';
import { measurePages } from './pages';
import { Sender } from './sender';
import { measureDoor } from './webhook-door';

const RESULTS = 'bench/results';
const RULES = 3;
const CROWD_ACCOUNTS = 10_000;
const EDITS = 60;
const PRESSES = 20;

interface Row {
  what: string;
  median: number;
  p99?: number;
  unit: string;
  aim: string;
}

async function measureLine(product: BenchProduct, story: BenchStory, among: string): Promise<Row[]> {
  await measureDoor(product, story, { events: 50, inFlight: 1 });
  const alone = await measureDoor(product, story, { events: 300, inFlight: 1 });
  const busy = await measureDoor(product, story, { events: 1000, inFlight: 16 });
  await measureEditToCard(product, story, 10);
  await workOff(product.database);
  await product.control('notion', 'DELETE', '/calls');
  const before = await rowsRead(product.database);
  const card = await measureEditToCard(product, story, EDITS);
  const read = (await rowsRead(product.database)) - before;
  const calls = (await product.control('notion', 'GET', '/calls')) as Record<string, number>;
  const fetches = Object.entries(calls).filter(([call]) => call.startsWith('GET /v1/pages/'));
  const perEvent = fetches.reduce((sum, [, count]) => sum + count, 0) / EDITS;
  return [
    { what: `webhook door, one at a time, ${among}`, ...alone, unit: 'ms', aim: 'median < 20' },
    { what: `webhook door, 16 in flight, ${among}`, ...busy, unit: 'ms', aim: 'p99 < 100' },
    { what: `edit to card, ${RULES} rules on the page, ${among}`, ...card, unit: 'ms', aim: 'median < 1000' },
    { what: `Notion fetches for each event, ${among}`, median: perEvent, unit: 'calls', aim: '1' },
    {
      what: `rows read for each event, ${among}`,
      median: Math.round(read / EDITS),
      unit: 'rows',
      aim: 'flat',
    },
  ];
}

async function measureChat(product: BenchProduct, story: BenchStory, sender: Sender): Promise<Row[]> {
  const measureDoorOfDiscord = (rounds: number, perRound: number) =>
    measureAcknowledgement(product, story, sender, { rounds, perRound, inFlight: 50 });
  await measureDoorOfDiscord(5, 50);
  const together = await measureDoorOfDiscord(20, 50);
  const pressing = await measureDoorOfDiscord(10, 200);
  const pressed = await measurePressToCard(product, story, PRESSES);
  return [
    { what: 'interaction acknowledged, 50 in flight', ...together, unit: 'ms', aim: 'p99 < 100' },
    { what: 'the same, each answer followed by the next', ...pressing, unit: 'ms', aim: '' },
    { what: 'button to changed card, Notion at 200 ms', ...pressed, unit: 'ms', aim: 'median < 700' },
  ];
}

async function measure(lifetime: Lifetime): Promise<Row[]> {
  const product = await startBenchProduct(lifetime);
  const story = await tellStory(product, RULES);
  const few = await measureLine(product, story, `${RULES} rules in all`);
  const chat = await measureChat(product, story, Sender.start(lifetime));
  await addCrowd(product.database, CROWD_ACCOUNTS);
  return [...few, ...chat, ...(await measureLine(product, story, `${CROWD_ACCOUNTS * 10} rules in all`))];
}

const SUITES: Record<string, { file: string; measure: (lifetime: Lifetime) => Promise<object[]> }> = {
  line: { file: 'latest.json', measure },
  pages: { file: 'pages.json', measure: measurePages },
  limits: {
    file: 'limits.json',
    measure: async (lifetime) => measureLimits(await startBenchProduct(lifetime), lifetime),
  },
};

run(async () => {
  const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(SUITES);
  const suites = names.map((name) => {
    const suite = SUITES[name];
    if (!suite)
      throw new PlainError(`There is no bench "${name}". There are: ${Object.keys(SUITES).join(', ')}.`);
    return suite;
  });
  const lifetime = new Lifetime();
  try {
    mkdirSync(RESULTS, { recursive: true });
    for (const suite of suites) {
      const rows = await suite.measure(lifetime);
      console.table(rows);
      const result = { at: new Date().toISOString(), node: process.version, rows };
      writeFileSync(`${RESULTS}/${suite.file}`, JSON.stringify(result, null, 2));
    }
  } catch (error) {
    console.error(error);
    await lifetime.end(1);
  }
  await lifetime.end(0);
});
