import { createHash, timingSafeEqual } from 'node:crypto';
import { Hono } from 'hono';
import { z } from 'zod';
import { capabilitiesOf } from '../api/capabilities';
import { readBody } from '../api/request-body';
import { NotionError } from '../notion-error';
import type { Authorization, TokenPair } from '../notion-state';
import type { NotionWorld } from '../notion-world';
import { memberObject } from '../user-object';
import { mintPair } from './token-pair';

const tokenSchema = z.union([
  z.strictObject({
    grant_type: z.literal('authorization_code'),
    code: z.string().min(1),
    redirect_uri: z.string().optional(),
    external_account: z.strictObject({ key: z.string(), name: z.string() }).optional(),
  }),
  z.strictObject({ grant_type: z.literal('refresh_token'), refresh_token: z.string().min(1) }),
]);
const oneToken = z.strictObject({ token: z.string().min(1) });

/** The three server-side OAuth calls: token, revoke, introspect. All take JSON and Basic credentials. */
export function oauthRoutes(world: NotionWorld): Hono {
  const app = new Hono();

  app.post('/token', async (c) => {
    requireClient(world, c.req.header('authorization'));
    const body = await readBody(c, tokenSchema);
    const authorization =
      body.grant_type === 'authorization_code'
        ? redeemCode(world, body.code, body.redirect_uri)
        : redeemRefreshToken(world, body.refresh_token);
    const isReturned = body.grant_type === 'authorization_code' && world.settings.returnActiveToken;
    const active = isReturned ? authorization.tokens.find((pair) => pair.accessActive) : undefined;
    return c.json(tokenAnswer(world, authorization, active ?? mintPair(world, authorization)));
  });

  app.post('/revoke', async (c) => {
    requireClient(world, c.req.header('authorization'));
    const { token } = await readBody(c, oneToken);
    const pair = findPair(world, token);
    if (!pair) throw new NotionError(400, 'invalid_request', 'The token is unknown.');
    Object.assign(pair, { accessActive: false, refreshActive: false });
    world.save();
    return c.json({});
  });

  app.post('/introspect', async (c) => {
    requireClient(world, c.req.header('authorization'));
    const { token } = await readBody(c, oneToken);
    const pair = findPair(world, token);
    const active = pair ? (pair.access === token ? pair.accessActive : pair.refreshActive) : false;
    if (!pair || !active) return c.json({ active: false });
    return c.json({
      active,
      scope: capabilitiesOf(world).join(' '),
      iat: Date.parse(pair.issuedAt),
    });
  });

  return app;
}

function requireClient(world: NotionWorld, header: string | undefined): void {
  const { clientId, clientSecret } = world.context.credentials.notion;
  const given = /^Basic (\S+)$/.exec(header ?? '')?.[1] ?? '';
  const wanted = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  const digest = (text: string) => createHash('sha256').update(text).digest();
  if (!timingSafeEqual(digest(given), digest(wanted)))
    throw new NotionError(401, 'invalid_client', 'Client authentication failed.');
}

function redeemCode(world: NotionWorld, code: string, redirectUri: string | undefined): Authorization {
  const kept = world.state.codes[code];
  delete world.state.codes[code];
  const authorization = world.state.authorizations.find((each) => each.botId === kept?.botId);
  if (!kept || !authorization || kept.expiresAt < world.now())
    throw new NotionError(400, 'invalid_grant', 'Invalid code: it is unknown, used or expired.');
  if (redirectUri !== kept.redirectUri)
    throw new NotionError(400, 'invalid_grant', 'redirect_uri does not match that of the authorization.');
  return authorization;
}

function redeemRefreshToken(world: NotionWorld, token: string): Authorization {
  const authorization = world.state.authorizations.find((each) =>
    each.tokens.some((pair) => pair.refresh === token),
  );
  const pair = authorization?.tokens.find((each) => each.refresh === token);
  if (!authorization || !pair?.refreshActive)
    throw new NotionError(400, 'invalid_grant', 'Invalid refresh token: it is unknown, used or revoked.');
  pair.refreshActive = false;
  return authorization;
}

function tokenAnswer(world: NotionWorld, authorization: Authorization, pair: TokenPair) {
  const workspace = world.workspace(authorization.workspaceId);
  const { partialOwner, userInformation } = world.settings;
  const owner = workspace.members.find((each) => each.id === authorization.personId && !partialOwner);
  const withEmail = userInformation === 'with_email';
  return {
    access_token: pair.access,
    token_type: 'bearer',
    refresh_token: pair.refresh,
    bot_id: authorization.botId,
    workspace_id: workspace.id,
    workspace_name: workspace.name,
    workspace_icon: workspace.icon,
    owner: {
      type: 'user',
      user: owner ? memberObject(owner, withEmail) : { object: 'user', id: authorization.personId },
    },
    duplicated_template_id: null,
  };
}

function findPair(world: NotionWorld, token: string) {
  return world.state.authorizations
    .flatMap((each) => each.tokens)
    .find((pair) => pair.access === token || pair.refresh === token);
}
