import { parseArgs } from 'node:util';
import { demoVariables } from './demo-variables';
import { embeddedUrl } from './embedded-postgres';
import { passDays } from './pass-days';
import { PlainError, run } from './plain-error';
import { parsePort } from './port';

const HELP = `Lets days pass in the running demo.

  --days <n>           how many (1)
  --sandbox-port <n>   as for the demo (3100)
  --postgres-port <n>  as for the demo (15433); DATABASE_URL replaces it`;

run(async () => {
  const { values } = parseArgs({
    options: {
      days: { type: 'string', default: '1' },
      'sandbox-port': { type: 'string', default: '3100' },
      'postgres-port': { type: 'string', default: '15433' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(HELP);
  const days = Number(values.days);
  if (!Number.isInteger(days) || days < 1 || days > 3650) {
    throw new PlainError('--days must be a whole number from 1 to 3650.');
  }
  const sandboxPort = parsePort(values['sandbox-port'], '--sandbox-port');
  const postgresPort = parsePort(values['postgres-port'], '--postgres-port');
  const databaseUrl = demoVariables(process.env).database?.DATABASE_URL ?? embeddedUrl(postgresPort);
  await passDays(days, { databaseUrl, sandboxPort });
  console.log(
    `${days === 1 ? 'A day has' : `${days} days have`} passed. Reload the page to see what has changed.`,
  );
});
