import Stripe from 'stripe';
import { z } from 'zod';
import { type Answer, FORBIDDEN, UNAUTHORIZED } from './ask';
import { type Finding, wrong } from './finding';
import type { Context } from './subject';

const errorSchema = z.object({
  error: z.object({ code: z.string().catch(''), message: z.string().catch('') }),
});

/** Calls Stripe's API in the version that the product uses. */
export const askStripe = ({ env, ask }: Context, path: string): Promise<Answer> =>
  ask('GET', `${env.STRIPE_API_URL}/v1${path}`, {
    headers: { authorization: `Bearer ${env.STRIPE_SECRET_KEY}`, 'stripe-version': Stripe.API_VERSION },
  });

/** Stripe's own code and message for a refusal. */
export const refusalOf = ({ json }: Answer) =>
  errorSchema.safeParse(json).data?.error ?? { code: '', message: '' };

/** Refusals that do not depend on what was asked for. */
export function refused({ status }: Answer, what: string): Finding {
  if (status === UNAUTHORIZED) {
    return wrong('Stripe does not know STRIPE_SECRET_KEY.', 'Copy the secret key from Developers, API keys.');
  }
  if (status === FORBIDDEN) {
    return wrong(
      `STRIPE_SECRET_KEY may not read ${what}.`,
      'Give the restricted key this right, or use a secret key.',
    );
  }
  return wrong(`Stripe answered ${status} about ${what}.`, 'Try again later.');
}
