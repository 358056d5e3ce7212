import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';

export type SchemaEngine = bindings.SchemaEngine;

let loaded = false;

// The package imports its .wasm file as a module, which Node does not do; instantiate it by hand.
function loadEngine(): void {
  if (loaded) return;
  const require = createRequire(import.meta.url);
  const path = require.resolve('@prisma/schema-engine-wasm/schema_engine_bg').replace(/\.js$/, '.wasm');
  const module = new WebAssembly.Module(readFileSync(path));
  const instance = new WebAssembly.Instance(module, { './schema_engine_bg.js': bindings as never });
  const exported = instance.exports as { __wbindgen_start(): void };
  (bindings as unknown as { __wbg_set_wasm(exports: unknown): void }).__wbg_set_wasm(exported);
  exported.__wbindgen_start();
  loaded = true;
}

/**
 * Prisma's schema engine as WebAssembly, bound to a database.
 * `schema` is the text of schema.prisma. The caller frees the engine.
 */
export async function openSchemaEngine(schema: string, databaseUrl: string): Promise<SchemaEngine> {
  loadEngine();
  const factory = bindMigrationAwareSqlAdapterFactory(new PrismaPg({ connectionString: databaseUrl }));
  return bindings.SchemaEngine.new({ datamodels: [['schema.prisma', schema]] }, () => {}, factory);
}
