import { parseArgs } from 'node:util';
import { findMalformed, parseEnv } from '@/lib/env';
import { examine, type SubjectFinding } from './doctor/examine';
import { reportLines } from './doctor/report';
import { run } from './plain-error';
import { loadDotEnv } from './real-configuration';

const HELP = `Checks this configuration against the real services, without changing anything.

  --json   prints { ok, findings: [{ subject, state, text, fix }] }; state is fine, remark or wrong

Ends with 0 when nothing is wrong, else with 1.`;

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { json: { type: 'boolean' }, help: { type: 'boolean' } } });
  if (values.help) return console.log(HELP);
  loadDotEnv();
  const malformed = findMalformed(process.env);
  const findings = malformed.length > 0 ? malformed.map(told) : await examine(parseEnv(process.env));
  const ok = findings.every(({ state }) => state !== 'wrong');
  console.log(values.json ? JSON.stringify({ ok, findings }, null, 2) : reportLines(findings).join('\n'));
  if (!ok) process.exitCode = 1;
}

/** Without a complete configuration nothing else can be checked. */
const told = ({ name, reason }: { name: string; reason: string }): SubjectFinding => ({
  subject: 'Variables',
  state: 'wrong',
  text: `${name} ${reason}.`,
  fix: `Set ${name} as docs/${reason === 'is missing' ? 'deploy' : 'configuration'}.md says.`,
});

run(main);
