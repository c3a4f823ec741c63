/**
 * The worker as one plain script. A thread does not take over the loader that lets Node run TypeScript, and with a
 * loader of its own it would need a second and 65 MB to start; bundled it is 0.3 s, once, and 25 MB.
 */
import { fileURLToPath } from 'node:url'

const entry = fileURLToPath(new URL('./worker.ts', import.meta.url))

let bundled: Promise<string> | undefined

/** Source of a CommonJS script, to be run with `eval`. */
export function workerScript(): Promise<string> {
  bundled ??= bundle()
  bundled.catch(() => { bundled = undefined })
  return bundled
}

async function bundle(): Promise<string> {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    entryPoints: [entry], bundle: true, write: false, platform: 'node', format: 'cjs', target: 'node20',
    external: ['better-sqlite3', 'pg'], logLevel: 'silent',
  })
  // What is not bundled is found from here, wherever the process was started.
  const script = outputFiles[0]?.text ?? ''
  return `((require) => {${script}\n})(require('node:module').createRequire(${JSON.stringify(entry)}))`
}
