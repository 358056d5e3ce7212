import { readSourceFiles, type SourceFile } from '../testing/source-files';

const isTest = ({ path }: SourceFile) =>
  path.endsWith('.test.ts') || /^lib\/(testing|architecture)\//.test(path);

/** Every file of the repository that holds code. */
export const files = readSourceFiles();
/** The same without tests and what only they use. */
export const product = files.filter((file) => !isTest(file));

/** The features from top to bottom: each may import from those below it. */
export const FEATURES = [
  'keys',
  'health',
  'account',
  'setup',
  'takeovers',
  'transfer',
  'preferences',
  'hindsight',
  'rules',
  'clocks',
  'deliveries',
  'reminders',
  'tasks',
  'reconciliation',
  'changes',
  'floods',
  'digests',
  'echoes',
  'living',
  'direct',
  'letters',
  'outbox',
  'forums',
  'standing',
  'recovery',
  'composing',
  'cards',
  'tree',
  'snapshots',
  'matching',
  'calendar',
  'calls',
  'connections',
  'billing',
  'links',
  'decisions',
  'messages',
  'tenancy',
];

export function featureOf(path: string): string | undefined {
  return /^lib\/features\/([^/]+)\//.exec(path)?.[1];
}

export function isRoute(path: string): boolean {
  return path.endsWith('/route.ts');
}
