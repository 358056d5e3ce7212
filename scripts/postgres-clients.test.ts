import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { clientAddress, findClients } from './postgres-clients';

const paramsOf = (address: string) => Object.fromEntries(new URL(clientAddress(address).url).searchParams);

test('the client programs reach the server and the database that the application reaches', () => {
  // Node's driver takes the database from the path alone.
  const params = 'host=%2Frun%2Fpostgresql&port=5433&user=pagewire&dbname=other&max=3';
  expect(paramsOf(`postgresql://somebody@localhost:5432/cards?${params}`)).toEqual({
    host: '/run/postgresql',
    port: '5433',
    user: 'pagewire',
  });
});

test('a password is in the environment only', () => {
  const { url, env } = clientAddress('postgresql://pagewire:never%20printed@db.example/cards');
  expect(url).toBe('postgresql://pagewire@db.example/cards');
  expect(env['PGPASSWORD']).toBe('never printed');
});

test('a certificate is checked against the authorities of the system, unless others are named', () => {
  expect(paramsOf('postgresql://db.example/cards?sslmode=verify-full')).toEqual({
    sslmode: 'verify-full',
    sslrootcert: expect.stringMatching(/^(system|\/etc\/.+)$/),
  });
  const named = { sslmode: 'verify-ca', sslrootcert: '/own/root.crt' };
  expect(paramsOf(`postgresql://db.example/cards?${new URLSearchParams(named)}`)).toEqual(named);
  expect(paramsOf('postgresql://db.example/cards?sslmode=no-verify')).toEqual({ sslmode: 'require' });
});

test('programs that are too old are refused in one sentence', () => {
  const folder = mkdtempSync(join(tmpdir(), 'old-clients-'));
  writeFileSync(join(folder, 'pg_dump'), '#!/bin/sh\necho "pg_dump (PostgreSQL) 98.1"\n', { mode: 0o755 });
  vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`);
  expect(() => findClients(99)).toThrow(
    "PostgreSQL's client programs (pg_dump, pg_restore, psql) here have version 98 and are older than the server, " +
      'which has version 99. Install those of version 99',
  );
  vi.unstubAllEnvs();
});
