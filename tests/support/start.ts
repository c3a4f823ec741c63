/** The files that a start of the built service loads, from esbuild’s report of the build. */
import assert from 'node:assert/strict'
import type { Metafile } from 'esbuild'

/** Each imports the next at every start of the service: they come after the settings. */
const entries = ['scripts/commands.ts', 'scripts/serve.ts', 'scripts/service.ts', 'operations/index.ts']

/** @param metafile of `service` in `scripts/build/options.ts` */
export function startOf({ inputs, outputs }: Metafile): {
  /** Source files that are loaded without a dynamic import. */
  readonly loaded: ReadonlySet<string>
  /** Their part of the built file. */
  bytesOf(file: string): number
} {
  const loaded = new Set<string>()
  const load = (file: string): void => {
    if (loaded.has(file)) return
    loaded.add(file)
    for (const { path, kind, external } of inputs[file]?.imports ?? []) if (kind !== 'dynamic-import' && !external) load(path)
  }
  for (const entry of entries) {
    assert.ok(inputs[entry], entry)
    load(entry)
  }
  const { inputs: parts = {} } = outputs['dist/commands.cjs'] ?? {}
  return { loaded, bytesOf: file => parts[file]?.bytesInOutput ?? 0 }
}
