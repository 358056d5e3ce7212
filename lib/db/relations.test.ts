import { expect, test } from 'vitest';
import { accountOf } from '../auth/account';
import { connectToOwnDatabase } from '../testing/own-database';
import { eventually } from '../testing/product';
import { databasePool, db } from './database';

connectToOwnDatabase();

test('a row is never read without the one that it must refer to, also while both are deleted', async () => {
  const { id: accountId } = await accountOf('oauth2|discord|208917000000000901');
  await db().notionWorkspace.create({
    data: { accountId, notionWorkspaceId: 'w', botId: 'b', name: 'W', sealedTokens: new Uint8Array() },
  });
  const deletion = await databasePool().connect();
  await deletion.query('begin');
  await deletion.query('lock table account in access exclusive mode');

  const reading = db()
    .notionWorkspace.findMany({ include: { account: true } })
    .then((rows) => rows.map(({ account }) => account));
  const blocked = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  await eventually(async () => (await databasePool().query(blocked)).rowCount);
  await deletion.query('delete from account where id = $1', [accountId]);
  await deletion.query('commit');
  deletion.release();

  expect(await reading).toEqual([]);
});
