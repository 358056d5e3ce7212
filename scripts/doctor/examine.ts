import type { Env } from '@/lib/env';
import { addresses, variableOf } from './addresses';
import { application } from './application';
import { asking, type ClockReading, NoAnswer } from './ask';
import { clock } from './clock';
import { database, sessionOrNull } from './database';
import { discordApplication } from './discord-application';
import { discordServers } from './discord-servers';
import { type Finding, wrong } from './finding';
import { identity } from './identity';
import { migrations } from './migrations';
import { notion } from './notion';
import { notionCapabilities } from './notion-capabilities';
import { sealedValues } from './sealed-values';
import { signIn } from './sign-in';
import { spareConnections } from './spare-connections';
import { stripeAccount } from './stripe-account';
import { stripePrice } from './stripe-price';
import type { Context, Subject } from './subject';
import { variables } from './variables';

/** In the order in which they are reported. The clock comes last, because it needs the answers to the others. */
const SUBJECTS: Subject[] = [
  variables,
  addresses,
  database,
  spareConnections,
  migrations,
  sealedValues,
  identity,
  signIn,
  discordApplication,
  discordServers,
  notion,
  notionCapabilities,
  stripePrice,
  stripeAccount,
  application,
  clock,
];

export interface SubjectFinding extends Finding {
  subject: string;
}

/** Checks everything that the configuration leads to, without changing anything. */
export async function examine(env: Env): Promise<SubjectFinding[]> {
  const clocks: ClockReading[] = [];
  const session = await sessionOrNull(env);
  const context: Context = { env, clocks, session, ask: asking(clocks) };
  const found: SubjectFinding[] = [];
  try {
    for (const subject of SUBJECTS) {
      for (const each of await look(subject, context)) found.push({ subject: subject.name, ...each });
    }
  } finally {
    await session?.end();
  }
  return found;
}

async function look(subject: Subject, context: Context): Promise<Finding[]> {
  try {
    return await subject.check(context);
  } catch (error) {
    if (error instanceof NoAnswer) {
      const variable = variableOf(error.host, context.env);
      const address = variable ? `the address in ${variable}` : 'the address';
      return [
        wrong(`${error.message}.`, `Check ${address}, and whether calls to it may leave this machine.`),
      ];
    }
    return [
      wrong(`This could not be checked: ${(error as Error).message}.`, 'Correct what else is wrong first.'),
    ];
  }
}
