import { z } from 'zod';
import { hash } from '@/lib/crypto';
import { NOTION_CALLBACK } from '@/lib/integrations/notion/notion-oauth';
import { NOTION_VERSION } from '@/lib/integrations/notion/notion-request';
import { hasTables } from '../has-tables';
import { NOT_FOUND, REFUSED, UNAUTHORIZED } from './ask';
import { type Finding, fine, orFine, remark, wrong } from './finding';
import type { Context, Subject } from './subject';

const errorSchema = z.object({ code: z.string().catch(''), message: z.string().catch('') });
const introspectionSchema = z.object({ active: z.boolean(), scope: z.string().optional() });

/** The connection in Notion's developer portal. */
export const notion: Subject = {
  name: 'Notion connection',
  check: async (context) => {
    const found = await checkClient(context);
    if (found.length === 0) found.push(...(await checkRedirect(context)));
    return [
      ...orFine(found, `Notion knows the connection and speaks version ${NOTION_VERSION}.`),
      ...(await checkToken(context)),
    ];
  },
};

/** Asks about a token. Notion checks the version and our credentials first. */
export async function introspect({ env, ask }: Context, token: string) {
  const basic = Buffer.from(`${env.NOTION_CLIENT_ID}:${env.NOTION_CLIENT_SECRET}`).toString('base64');
  const answer = await ask('POST', `${env.NOTION_API_URL}/v1/oauth/introspect`, {
    headers: { authorization: `Basic ${basic}`, 'notion-version': NOTION_VERSION },
    body: { token },
  });
  return { ...answer, known: introspectionSchema.safeParse(answer.json).data };
}

async function checkClient(context: Context): Promise<Finding[]> {
  const { status, known, json } = await introspect(context, 'doctor');
  if (known || status === NOT_FOUND) return [];
  const { code, message } = errorSchema.parse(json ?? {});
  if (status === UNAUTHORIZED) {
    return [
      wrong(
        'Notion refuses NOTION_CLIENT_ID with NOTION_CLIENT_SECRET.',
        'Copy both from the page Configuration of the connection.',
      ),
    ];
  }
  if (/version/i.test(`${code} ${message}`)) {
    return [
      wrong(
        `Notion does not speak version ${NOTION_VERSION} of its API here.`,
        'Remove NOTION_API_URL or let it lead to https://api.notion.com; else upgrade Pagewire.',
      ),
    ];
  }
  return [wrong(`Notion answered ${status} ${code}.`, 'Try again later.')];
}

async function checkRedirect({ env, ask }: Context): Promise<Finding[]> {
  const callback = `${env.APP_URL}${NOTION_CALLBACK}`;
  const query = {
    client_id: env.NOTION_CLIENT_ID,
    redirect_uri: callback,
    response_type: 'code',
    owner: 'user',
  };
  const address = `${env.NOTION_API_URL}/v1/oauth/authorize?${new URLSearchParams(query)}`;
  const { status } = await ask('GET', address, { headers: { accept: 'text/html' } });
  if (status < REFUSED) return [];
  return [wrong('Notion refuses the page on which people connect.', `Add ${callback} to the redirect URIs.`)];
}

/** Only a call from Notion shows whether it signs with our token. */
async function checkToken({ env, session }: Context): Promise<Finding[]> {
  if (!session || !(await hasTables(session, 'public.proven_webhook_token'))) return [];
  const { rows } = await session.query('select token_hash as hash from proven_webhook_token');
  if (rows.some((row) => row.hash === hash(env.NOTION_WEBHOOK_TOKEN))) {
    return [fine('Notion signs its webhooks with NOTION_WEBHOOK_TOKEN.')];
  }
  if (rows.length === 0)
    return [remark('No webhook of Notion has arrived yet, so NOTION_WEBHOOK_TOKEN is unproven.')];
  return [
    wrong(
      'Webhooks of Notion arrived with another token than NOTION_WEBHOOK_TOKEN, and none with this one.',
      'Set the token of the present subscription. If it is new, change a page in Notion and run this again.',
    ),
  ];
}
