import { decodeJwt } from 'jose';
import { z } from 'zod';
import { fetchUserinfo } from '@/lib/integrations/identity/identity-provider';
import { log } from '@/lib/log';

// An empty text says no more than none.
const text = z
  .string()
  .nullish()
  .transform((value) => value || null);

export const profileSchema = z.object({
  sub: z.string(),
  nickname: text,
  name: text,
  email: text,
  email_verified: z.unknown().optional(),
  picture: text,
});

export type IdentityProfile = z.infer<typeof profileSchema>;

/**
 * The person of a sign-in whose id token was checked. A provider may leave anything but the subject out of that token and
 * tell it in its userinfo: https://openid.net/specs/openid-connect-core-1_0.html#ScopeClaims
 */
export async function readProfile(tokens: {
  id_token?: string;
  access_token?: string;
}): Promise<IdentityProfile> {
  const claims = profileSchema.parse(decodeJwt(tokens.id_token ?? ''));
  const { nickname, name, email, picture } = claims;
  if ((nickname ?? name) && email && picture) return claims;
  const told = await fetchUserinfo(tokens.access_token ?? '').catch((error) => {
    log.warn({ err: error }, 'no userinfo of the sign-in service');
    return null;
  });
  const { data: info } = profileSchema.safeParse(told);
  if (info?.sub !== claims.sub) return claims;
  const known = Object.entries(claims).filter(([, value]) => value !== null);
  return { ...info, ...Object.fromEntries(known) };
}
