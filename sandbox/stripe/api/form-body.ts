import { z } from 'zod';
import { invalid } from '../stripe-error';

type Tree = { [key: string]: string | Tree };

const KEY = /^([a-z_]\w*)((?:\[\w+\])*)$/i;

/** Parses Stripe's brackets (`items[0][price]=…`) into objects and lists. Refuses any other notation. */
export function decodeForm(text: string): unknown {
  const root: Tree = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const [, head, rest = ''] = KEY.exec(name) ?? [];
    if (!head) throw invalid(`Invalid parameter name: ${name}`);
    insert(root, [head, ...[...rest.matchAll(/\[(\w+)\]/g)].map(([, part = '']) => part)], value);
  }
  return withLists(root);
}

function insert(root: Tree, path: string[], value: string): void {
  let node = root;
  for (const part of path.slice(0, -1)) {
    const next = Object.hasOwn(node, part) ? node[part] : undefined;
    if (typeof next === 'string') throw invalid('Invalid hash');
    const child: Tree = next ?? {};
    node[part] = child;
    node = child;
  }
  node[path.at(-1) ?? ''] = value;
}

function withLists(tree: string | Tree): unknown {
  if (typeof tree === 'string') return tree;
  const entries = Object.entries(tree);
  const isList = entries.length > 0 && entries.every(([key], index) => key === String(index));
  return isList
    ? entries.map(([, value]) => withLists(value))
    : Object.fromEntries(entries.map(([key, value]) => [key, withLists(value)]));
}

/** Checks parameters; refuses an unknown, missing or malformed one as Stripe does. */
export function parseParams<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = (issue?.path ?? []).map(String);
  if (issue?.code === 'unrecognized_keys') {
    const param = bracketed([...path, issue.keys[0] ?? '']);
    throw invalid(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param });
  }
  const param = bracketed(path);
  if (issue?.code === 'invalid_type' && isMissing(value, path)) {
    throw invalid(`Missing required param: ${param}.`, { code: 'parameter_missing', param });
  }
  throw invalid(`Invalid ${param}: ${issue?.message ?? 'not accepted'}`, { param });
}

function isMissing(value: unknown, path: string[]): boolean {
  return path.reduce<unknown>((node, part) => (node as Record<string, unknown>)?.[part], value) === undefined;
}

const bracketed = ([head = '', ...rest]: string[]) => head + rest.map((part) => `[${part}]`).join('');

export const wholeNumber = z.string().regex(/^\d+$/, 'must be an integer').transform(Number);
export const metadata = z
  .record(z.string().max(40), z.string().max(500))
  .refine((all) => Object.keys(all).length <= 50, 'at most 50 keys');
