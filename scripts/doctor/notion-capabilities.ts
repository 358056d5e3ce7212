import { z } from 'zod';
import { openNotionTokensWith } from '@/lib/features/workspaces/notion-tokens';
import { NOTION_VERSION } from '@/lib/integrations/notion/notion-request';
import { hasTables } from '../has-tables';
import { type Answer, FORBIDDEN, UNAUTHORIZED } from './ask';
import { type Finding, orFine, remark, wrong } from './finding';
import { introspect } from './notion';
import type { Context, Subject } from './subject';

/** The developer portal's names of capabilities, by the scope in Notion's API. */
const BY_SCOPE = { insert_content: 'Insert content', update_content: 'Update content' };

/** Checks what the connection may do, with the token of the newest connected workspace. */
export const notionCapabilities: Subject = {
  name: 'Notion capabilities',
  check: async (context) => {
    const token = await findToken(context);
    if (!token) return [remark('No workspace is connected yet, so capabilities cannot be tried.')];
    const search = await askAs(context, token, 'POST', '/v1/search');
    if (search.status === UNAUTHORIZED) {
      return [remark('The token of the newest workspace has expired; Pagewire renews it when it is needed.')];
    }
    const users = await askAs(context, token, 'GET', '/v1/users?page_size=1');
    const missing = [
      ...(search.status === FORBIDDEN ? ['Read content'] : []),
      ...(users.status === FORBIDDEN ? ['Read user information'] : []),
      ...(await missingScopes(context, token)),
    ];
    const found = orFine(
      missing.map(lacks),
      'The connection may read, insert and update content and read people.',
    );
    return (await seesComments(context, token, search)) ? found : [...found, NO_COMMENTS];
  },
};

const NO_COMMENTS = remark(
  'The Notion connection may not read comments, so there are no rules for them.',
  'Tick Read comments on the page Configuration of the connection, and subscribe to comment.created.',
);

/** Whether the comments of a page may be read; true when there is no page to try. */
async function seesComments(context: Context, token: string, { json }: Answer): Promise<boolean> {
  const { data } = pagesSchema.safeParse(json);
  const page = data?.results.find(({ object }) => object === 'page');
  if (!page) return true;
  const comments = await askAs(context, token, 'GET', `/v1/comments?page_size=1&block_id=${page.id}`);
  return comments.status !== FORBIDDEN;
}

const pagesSchema = z.object({ results: z.array(z.object({ object: z.string(), id: z.string() })) });

const lacks = (name: string): Finding =>
  wrong(
    `The Notion connection lacks the capability ${name}.`,
    'Tick it on the page Configuration of the connection.',
  );

async function findToken({ env, session }: Context): Promise<string | undefined> {
  if (!session || !(await hasTables(session, 'public.notion_workspace'))) return undefined;
  const { rows } = await session.query<{ id: string; sealedTokens: Uint8Array }>(
    `select id, sealed_tokens as "sealedTokens" from notion_workspace
     where problem is null order by connected_at desc limit 1`,
  );
  const [workspace] = rows;
  if (!workspace) return undefined;
  try {
    return openNotionTokensWith(env.ENCRYPTION_KEYS, workspace).accessToken;
  } catch {
    // The subject about encryption keys already says why.
    return undefined;
  }
}

const askAs = ({ env, ask }: Context, token: string, method: string, path: string): Promise<Answer> =>
  ask(method, `${env.NOTION_API_URL}${path}`, {
    headers: { authorization: `Bearer ${token}`, 'notion-version': NOTION_VERSION },
    ...(method === 'POST' && { body: { page_size: 10 } }),
  });

/** Writing is not tried; instead Notion is asked what the token may do. */
async function missingScopes(context: Context, token: string): Promise<string[]> {
  const { known } = await introspect(context, token);
  const scopes = known?.scope?.split(' ');
  if (!scopes) return [];
  return Object.entries(BY_SCOPE).flatMap(([scope, name]) => (scopes.includes(scope) ? [] : [name]));
}
