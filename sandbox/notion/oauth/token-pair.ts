import { randomBytes } from 'node:crypto';
import type { Authorization, TokenPair } from '../notion-state';
import type { NotionWorld } from '../notion-world';

/** Issues a new pair of tokens for an authorization. Unless the setting keeps them, earlier pairs stop working. */
export function mintPair(world: NotionWorld, authorization: Authorization): TokenPair {
  if (!world.settings.keepReplacedTokens)
    for (const pair of authorization.tokens)
      Object.assign(pair, { accessActive: false, refreshActive: false });
  const pair: TokenPair = {
    access: `ntn_${randomBytes(24).toString('base64url')}`,
    refresh: `nrt_${randomBytes(24).toString('base64url')}`,
    issuedAt: world.now(),
    accessActive: true,
    refreshActive: true,
  };
  authorization.tokens.push(pair);
  world.save();
  return pair;
}
