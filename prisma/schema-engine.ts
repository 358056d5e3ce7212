import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';
import type pg from 'pg';

// The package imports its .wasm file as a module, which Node does not do; instantiate it by hand.
function loadEngine(): void {
  const require = createRequire(import.meta.url);
  const path = require.resolve('@prisma/schema-engine-wasm/schema_engine_bg').replace(/\.js$/, '.wasm');
  const module = new WebAssembly.Module(readFileSync(path));
  const imports = bindings as unknown as WebAssembly.ModuleImports;
  const instance = new WebAssembly.Instance(module, { './schema_engine_bg.js': imports });
  const exported = instance.exports as { __wbindgen_start(): void };
  (bindings as unknown as { __wbg_set_wasm(exports: unknown): void }).__wbg_set_wasm(exported);
  exported.__wbindgen_start();
}

/** Works with Prisma's schema engine as WebAssembly, once in a process. `schema` is the text of schema.prisma. */
export async function withSchemaEngine<T>(
  schema: string,
  pool: pg.Pool,
  work: (engine: bindings.SchemaEngine) => Promise<T>,
): Promise<T> {
  loadEngine();
  const factory = bindMigrationAwareSqlAdapterFactory(new PrismaPg(pool));
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
