import { z } from 'zod';
import { PROBE_ADDRESS } from '@/lib/http/caller-address';
import { NoAnswer, UNAUTHORIZED } from './ask';
import { type Finding, fine, orFine, remark, wrong } from './finding';
import type { Context, Subject } from './subject';

const DOORS = [
  '/api/discord/interactions',
  '/api/discord/events',
  '/api/notion/webhook',
  '/api/stripe/webhook',
];
const START = 'Start the application with "npm start", and let DNS, TLS and the proxy in front lead to it.';

const healthSchema = z.object({
  status: z.enum(['ok', 'degraded', 'failing']),
  worker: z.string(),
  passage: z.enum(['direct', 'trusted_proxy', 'untrusted_proxy', 'host']).catch('direct'),
});
const refusalSchema = z.object({ code: z.literal('unauthorized') });

/** Checks the application itself, called by its public address. */
export const application: Subject = {
  name: 'Application',
  check: async (context) => {
    try {
      return await checkAll(context);
    } catch (error) {
      if (error instanceof NoAnswer) return [wrong(`${error.message}.`, START)];
      throw error;
    }
  },
};

async function checkAll(context: Context): Promise<Finding[]> {
  const { ask, env } = context;
  // A proxy appends the caller to this header, so it shows whether there is a proxy.
  const answer = await ask('GET', `${env.APP_URL}/api/health`, {
    headers: { 'x-forwarded-for': PROBE_ADDRESS },
  });
  const { location } = answer.headers;
  if (location) {
    const { origin } = new URL(location, env.APP_URL);
    return [wrong(`APP_URL redirects to ${origin}; webhooks follow no redirect.`, `Set APP_URL=${origin}.`)];
  }
  const health = healthSchema.safeParse(answer.json).data;
  if (!health) return [wrong(`Something else answers at APP_URL, with ${answer.status}.`, START)];
  const found = [...checkHealth(health), ...checkPassage(health.passage), ...(await checkDoors(context))];
  return orFine(found, 'The application answers, and refuses calls without a signature.');
}

function checkHealth({ status }: z.infer<typeof healthSchema>): Finding[] {
  if (status === 'ok') return [];
  if (status === 'failing') {
    return [
      wrong('The application does not reach its database.', 'Give it the same variables as the doctor.'),
    ];
  }
  return [
    remark(
      'No worker is running.',
      'Start "npm run worker", or set WORKER=inline. A serverless host needs none.',
    ),
  ];
}

function checkPassage(passage: z.infer<typeof healthSchema>['passage']): Finding[] {
  if (passage === 'trusted_proxy') return [fine('The proxy in front is trusted about its callers.')];
  if (passage !== 'untrusted_proxy') return [];
  return [
    wrong(
      'A proxy in front is not trusted, so all callers share the limits of one address.',
      'Set TRUSTED_PROXIES to its address as the application sees it, or to the range of its network.',
    ),
  ];
}

async function checkDoors({ env, ask }: Context): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const door of DOORS) {
    const { status, json } = await ask('POST', `${env.APP_URL}${door}`, { body: {} });
    if (status === UNAUTHORIZED && refusalSchema.safeParse(json).success) continue;
    const text = `${door} answered ${status} to a call without a signature, instead of refusing it.`;
    found.push(
      wrong(text, 'Let the proxy pass POST requests to /api on, unchanged and without a login of its own.'),
    );
  }
  return found;
}
