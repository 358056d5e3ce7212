import pg from 'pg';
import Stripe from 'stripe';
import { z } from 'zod';
import { Prisma } from '../db/generated/client';

const EMAIL = 'mira@lanternworks.example';
const TITLE = 'Boss fight: ember golem';
const WORD = 'Geheimnis';

/** Values that no report and no line of the log may hold; the last two look like nothing in particular. */
export const SECRETS = [
  'sk_test_51H8mVQ2eZvKYlo2C',
  'whsec_Kx81mmQPzz0aQ',
  'ntn_4471Zxy0Aab81Qpp',
  'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJtaXJhIn0.c2lnbmF0dXJl',
  'MTE5MzAwMDAwMDAwMDAwMDAwMQ.GxYzAb.kT9sQw2eR4tY6uI8oP0aS2dF4gH6',
  'aW50ZXJhY3Rpb246MTIzNDU2Nzg5MDEyMzQ1Njc4OTA',
  'correct-horse',
  'one-that-has-no-shape',
];

/** What people have written. */
export const TOLD_BY_PEOPLE = [EMAIL, 'Boss fight', 'ember golem', WORD];

/**
 * Stands between the values and what fails, because reports quote the lines around each frame of a stack: the seven
 * before it and the seven after it. The class below is one of those failures.
 *
 * Each failure is created when a test asks for it, as the product would meet it: with the name, the message and the
 * fields of the package at fault. Nothing here is thrown by the product itself.
 */

class Refused extends Error {
  override name = 'NotionError';
  readonly status = 400;
  readonly body = { title: TITLE };
}

const zodError = () => z.object({ title: z.number() }).safeParse({ title: TITLE }).error;

/** One of every kind of failure that the product knows, each with what must not be told. */
export const FAILURES: [string, () => unknown][] = [
  ['of ours', () => new Error(`session of ${EMAIL}: Bearer ${SECRETS[3]}`)],
  ['of configuration', () => new Error(`the key ${SECRETS[7]} is wrong`)],
  ['of Notion', () => new Refused(`body.title should be a string, instead was \`{"content":"${TITLE}"}\`.`)],
  ['of Notion, in a word', () => new Refused(`title should be a number, instead was \`${WORD}\`.`)],
  [
    'of Discord',
    () => new Error(`POST https://discord.com/api/v10/webhooks/1193/${SECRETS[5]}/messages/@original`),
  ],
  [
    'of an interaction',
    () => new Error(`POST /interactions/110200/${SECRETS[5]}/callback: Unknown interaction`),
  ],
  ['of the bot', () => new Error(`401: Bot ${SECRETS[4]}`)],
  [
    'of Stripe',
    () =>
      new Stripe.errors.StripeInvalidRequestError({
        type: 'invalid_request_error',
        message: `Invalid API Key provided: ${SECRETS[0]}; no such customer: '${EMAIL}'`,
      }),
  ],
  ['of a webhook', () => new Error(`No signatures found for ${SECRETS[1]}`)],
  ['of a token', () => new Error(`Notion did not revoke ${SECRETS[2]}`)],
  [
    'of PostgreSQL',
    () => {
      const error = new pg.DatabaseError(`invalid input syntax for type uuid: "${WORD}"`, 1, 'error');
      return Object.assign(error, {
        detail: `Key (email)=(${EMAIL}) already exists.`,
        where: `unnamed portal parameter $1 = '${TITLE}'`,
      });
    },
  ],
  [
    'of a connection',
    () => new Error(`cannot reach postgresql://pagewire:${SECRETS[6]}@db.example/pagewire`),
  ],
  [
    'of Prisma',
    () =>
      new Prisma.PrismaClientKnownRequestError(
        `\nInvalid \`db().account.create()\` invocation in\n/app/a.ts:3:4\n\n  3 email: "${EMAIL}"\n\nUnique constraint failed on the fields: (\`subject\`)`,
        { code: 'P2002', clientVersion: '7' },
      ),
  ],
  [
    'of Prisma, about a statement',
    () =>
      new Prisma.PrismaClientKnownRequestError(
        `\nInvalid \`db().$queryRaw()\` invocation in\n/app/a.ts:3:4\n\nRaw query failed. Code: \`22P02\`. Message: \`invalid input syntax for type uuid: "${WORD}"\``,
        { code: 'P2010', clientVersion: '7' },
      ),
  ],
  [
    'of Prisma, about an argument',
    () =>
      new Prisma.PrismaClientValidationError(
        `\nInvalid \`db().rule.create()\` invocation:\n\n{\n  data: {\n    name: "${TITLE}",\n+   id: String\n  }\n}\n\nArgument \`id\` is missing.`,
        { clientVersion: '7' },
      ),
  ],
  [
    'of JSON',
    () => {
      try {
        return JSON.parse(`${WORD}`);
      } catch (error) {
        return error;
      }
    },
  ],
  [
    'of JSON, further in',
    () => {
      try {
        return JSON.parse(`{"title": "${TITLE}" oh}`);
      } catch (error) {
        return error;
      }
    },
  ],
  ['of a shape', zodError],
  [
    'of a call',
    () =>
      new TypeError('fetch failed', {
        cause: new Error(`GET /callback?code=${SECRETS[6]} for ${EMAIL}`),
      }),
  ],
  [
    'of several',
    () => new AggregateError([new Error(`"${TITLE}" failed`), new Error(`key ${SECRETS[0]}`)], 'all failed'),
  ],
  ['that is a text', () => `${TITLE} of ${EMAIL} ${SECRETS[0]}`],
  ['that is an object', () => ({ title: TITLE, email: EMAIL, token: SECRETS[2] })],
  ['that is nothing', () => undefined],
];
