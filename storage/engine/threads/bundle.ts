/**
 * The script of the report thread. A thread does not inherit the loader that lets Node run TypeScript, and with a
 * loader of its own it would need a second and 65 MB to start.
 */
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

export interface ThreadScript {
  /** A file, or a source of CommonJS. */
  readonly script: string
  readonly eval: boolean
}

let bundled: Promise<string> | undefined

/** The built file; when running from sources, they are bundled once in each process. */
export async function threadScript(): Promise<ThreadScript> {
  if (import.meta.built) return { script: createRequire(import.meta.url).resolve('#built/report-thread.cjs'), eval: false }
  bundled ??= bundle()
  bundled.catch(() => {
    bundled = undefined
  })
  return { script: await bundled, eval: true }
}

async function bundle(): Promise<string> {
  const { build } = await import('esbuild')
  const entry = fileURLToPath(new URL('./worker.ts', import.meta.url))
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: ['better-sqlite3', 'pg'],
    logLevel: 'silent',
  })
  // Resolves packages that are not bundled from here, wherever the process was started.
  const script = outputFiles[0]?.text ?? ''
  return `((require) => {${script}\n})(require('node:module').createRequire(${JSON.stringify(entry)}))`
}
