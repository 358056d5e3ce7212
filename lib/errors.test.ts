import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { expect, test } from 'vitest';
import { PrismaClient } from '@/lib/db/generated/client';
import { toBusyError } from './errors';

// Nobody vouches for this certificate.
const SELF_SIGNED = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgDgRhYKCp4OVJvwRq
+XBH94uUjJ/Hv8eG4wJLLtX/MzyhRANCAAQd4HQPBY40lc2AqAJsdDGovefsI4Tp
EHChYJnx6dNPgVyAREF3vCBk8EOpEkukg+Ew5eK1u3x5nl+Z0dewHMwn
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBgDCCASWgAwIBAgIUGzyqTL2sC5iPKmrXzUpxh+1wHnwwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyODEwMjQxMVoYDzIxMjYxMTA0
MTAyNDExWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQd4HQPBY40lc2AqAJsdDGovefsI4TpEHChYJnx6dNPgVyAREF3vCBk
8EOpEkukg+Ew5eK1u3x5nl+Z0dewHMwno1MwUTAdBgNVHQ4EFgQUAlQirNIApLAl
BND0mzv9xYLyo/4wHwYDVR0jBBgwFoAUAlQirNIApLAlBND0mzv9xYLyo/4wDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNJADBGAiEAihYfLigx0nrZ16Ffl5Y+
8QuFCpco0deFf7zP3/jnyvwCIQDPQUrLATLNYYZMpThe68h1uWM5LHYusZhkvIRF
r3iMtg==
-----END CERTIFICATE-----
`,
};

const encrypt = (context: object) => (socket: Socket) => {
  socket.write('S');
  const secureContext = createSecureContext(context);
  new TLSSocket(socket, { isServer: true, secureContext }).on('error', () => undefined);
};

// https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-SSL
test.each<[string, (socket: Socket) => void]>([
  ['does not encrypt', (socket) => socket.write('N')],
  ['fails at once', (socket) => socket.end('E')],
  ['has a certificate of its own', encrypt(SELF_SIGNED)],
  ['has no certificate', encrypt({})],
])('a database that %s, although it must be encrypted, counts as away', async (_, answer) => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).once('data', () => answer(socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const connectionString = `postgresql://me:secret@127.0.0.1:${port}/pagewire?sslmode=verify-full`;
  const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString }) });
  for (const ask of [() => new pg.Client(connectionString).connect(), () => prisma.$queryRaw`select 1`]) {
    expect(toBusyError(await ask().catch((error: unknown) => error))).toMatchObject({ status: 503 });
  }
  await prisma.$disconnect();
  server.close();
});
