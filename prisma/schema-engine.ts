import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';
import type pg from 'pg';
import { runScript } from './run-script';

// The package keeps its instance for the life of the process, even if this module is loaded again.
const LOADED = Symbol.for('pagewire.schemaEngine');
const shared = globalThis as { [LOADED]?: boolean };

// The package imports its .wasm file as a module, which Node does not do; instantiate it by hand.
function loadEngine(): void {
  if (shared[LOADED]) return;
  const require = createRequire(import.meta.url);
  const path = require.resolve('@prisma/schema-engine-wasm/schema_engine_bg').replace(/\.js$/, '.wasm');
  const module = new WebAssembly.Module(readFileSync(path));
  const instance = new WebAssembly.Instance(module, { './schema_engine_bg.js': importsOf(bindings) });
  const exported = instance.exports as { __wbindgen_start(): void };
  (bindings as unknown as { __wbg_set_wasm(exports: unknown): void }).__wbg_set_wasm(exported);
  exported.__wbindgen_start();
  shared[LOADED] = true;
}

// The engine waits for its lock with a timer of ten seconds and never clears it; it must not keep the process alive.
function importsOf(exported: object): WebAssembly.ModuleImports {
  const imports = Object.entries(exported).map(([name, value]) => {
    if (!name.startsWith('__wbg_setTimeout')) return [name, value];
    return [name, (...call: unknown[]) => (value(...call) as NodeJS.Timeout).unref()];
  });
  return Object.fromEntries(imports);
}

// The adapter cuts a script at every semicolon, even inside a function. PostgreSQL accepts the whole script, and then
// applies all of it or nothing.
class WholeScripts extends PrismaPg {
  constructor(private readonly pool: pg.Pool) {
    super(pool);
  }

  override async connect() {
    const connection = await super.connect();
    connection.executeScript = (script) => runScript(this.pool, script);
    return connection;
  }
}

/** Works with Prisma's schema engine as WebAssembly. `schema` is the text of schema.prisma. */
export async function withSchemaEngine<T>(
  schema: string,
  pool: pg.Pool,
  work: (engine: bindings.SchemaEngine) => Promise<T>,
): Promise<T> {
  loadEngine();
  const factory = bindMigrationAwareSqlAdapterFactory(new WholeScripts(pool));
  const engine = await bindings.SchemaEngine.new(
    { datamodels: [['schema.prisma', schema]] },
    () => {},
    factory,
  );
  try {
    return await work(engine);
  } finally {
    engine.free();
  }
}
