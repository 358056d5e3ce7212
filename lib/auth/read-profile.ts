import { decodeJwt } from 'jose';
import { z } from 'zod';
import { fetchUserinfo } from '@/lib/integrations/identity/identity-provider';
import { log } from '@/lib/log';

export const profileSchema = z.object({
  sub: z.string(),
  nickname: z.string().nullish(),
  name: z.string().nullish(),
  email: z.string().nullish(),
  email_verified: z.unknown().optional(),
  picture: z.string().nullish(),
});

export type IdentityProfile = z.infer<typeof profileSchema>;

/**
 * The person of a sign-in whose id token was checked. A provider may put no more than the subject into that token and
 * the rest into its userinfo: https://openid.net/specs/openid-connect-core-1_0.html#ScopeClaims
 */
export async function readProfile(tokens: {
  id_token?: string;
  access_token?: string;
}): Promise<IdentityProfile> {
  const claims = profileSchema.parse(decodeJwt(tokens.id_token ?? ''));
  if (claims.nickname ?? claims.name) return claims;
  const told = await fetchUserinfo(tokens.access_token ?? '').catch((error) => {
    log.warn({ err: error }, 'no userinfo of the sign-in service');
    return null;
  });
  const { data: info } = profileSchema.safeParse(told);
  return info?.sub === claims.sub ? { ...info, ...claims } : claims;
}
