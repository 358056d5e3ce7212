import { z } from 'zod';
import { env } from '@/lib/env';
import { SECOND_MS } from '@/lib/time';
import { notionIdSchema } from './notion-id';
import { NotionError, notionCall, notionClient } from './notion-request';

// A refresh token is spent even if we give up on the call, so wait long.
const REFRESH_TIMEOUT_MS = 40 * SECOND_MS;

const ownerSchema = z.object({
  type: z.string(),
  user: z
    .object({
      id: notionIdSchema,
      name: z.string().nullish(),
      person: z.object({ email: z.string().nullish() }).nullish(),
    })
    .optional(),
});

const authorizationSchema = z.object({
  access_token: z.string(),
  refresh_token: z.string().nullish(),
  bot_id: notionIdSchema,
  workspace_id: notionIdSchema,
  workspace_name: z.string().nullish(),
  workspace_icon: z.string().nullish(),
  owner: ownerSchema,
});

export interface NotionTokens {
  accessToken: string;
  /** Works once; absent if Notion issued none. */
  refreshToken?: string;
}

export interface NotionAuthorization {
  tokens: NotionTokens;
  botId: string;
  workspaceId: string;
  workspaceName: string | null;
  /** An emoji or the URL of a picture. */
  workspaceIcon: string | null;
  /** The person who authorised; absent when the whole workspace was authorised. */
  owner?: { id: string; name: string | null };
}

/** Where Notion sends the browser back to, under APP_URL. */
export const NOTION_CALLBACK = '/api/notion/callback';

const redirectUri = () => `${env().APP_URL}${NOTION_CALLBACK}`;
const credentials = () => ({ client_id: env().NOTION_CLIENT_ID, client_secret: env().NOTION_CLIENT_SECRET });

/** Where a person chooses the pages that Pagewire may see. */
export function notionAuthorizeUrl(state: string): string {
  const url = new URL(`${env().NOTION_API_URL}/v1/oauth/authorize`);
  url.search = new URLSearchParams({
    client_id: env().NOTION_CLIENT_ID,
    redirect_uri: redirectUri(),
    response_type: 'code',
    owner: 'user',
    state,
  }).toString();
  return url.href;
}

/** Exchanges an authorization code for tokens. Throws NotionError. */
export async function exchangeNotionCode(code: string): Promise<NotionAuthorization> {
  const reply = await notionCall(() =>
    notionClient().oauth.token({
      ...credentials(),
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri(),
    }),
  );
  const parsed = readable(authorizationSchema, reply);
  const { user } = parsed.owner;
  return {
    tokens: toTokens(parsed),
    botId: parsed.bot_id,
    workspaceId: parsed.workspace_id,
    workspaceName: parsed.workspace_name ?? null,
    workspaceIcon: parsed.workspace_icon ?? null,
    owner: user && { id: user.id, name: user.name ?? null },
  };
}

/** Exchanges a refresh token for a new pair; the old one is spent. Throws NotionError. */
export async function refreshNotionTokens(refreshToken: string): Promise<NotionTokens> {
  const reply = await notionCall(() =>
    notionClient(undefined, REFRESH_TIMEOUT_MS).oauth.token({
      ...credentials(),
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
    }),
  );
  return toTokens(readable(authorizationSchema.pick({ access_token: true, refresh_token: true }), reply));
}

/** Revokes a token. Throws NotionError. */
export async function revokeNotionToken(accessToken: string): Promise<void> {
  await notionCall(() => notionClient().oauth.revoke({ ...credentials(), token: accessToken }));
}

function readable<T>(schema: z.ZodType<T>, reply: unknown): T {
  const { data } = schema.safeParse(reply);
  if (!data) throw new NotionError(200, 'unreadable_token', 'Notion returned a token of an unknown shape');
  return data;
}

function toTokens(reply: { access_token: string; refresh_token?: string | null }): NotionTokens {
  return { accessToken: reply.access_token, refreshToken: reply.refresh_token ?? undefined };
}
