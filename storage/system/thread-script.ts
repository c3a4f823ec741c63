/**
 * Scripts of threads. A thread does not inherit the loader with which Node runs TypeScript, and with a loader of its own it
 * would need a second and 65 MB to start.
 */
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

export interface ThreadScript {
  /** A file, or a source of CommonJS. */
  readonly script: string
  readonly eval: boolean
  readonly argv: string[]
}

const bundled = new Map<string, Promise<string>>()

/**
 * Finds the built file, which `thread.cjs` runs from its code cache if it has one. In a process that runs from sources, it
 * bundles them once.
 * @param name in `dist/`, as `scripts/build/options.ts` has it
 * @param entry its source, as a URL
 */
export async function threadScript(name: string, entry: string): Promise<ThreadScript> {
  if (import.meta.built) {
    const { resolve } = createRequire(import.meta.url)
    return { script: resolve('#built/thread.cjs'), eval: false, argv: [resolve(`#built/${name}.cjs`)] }
  }
  const known = bundled.get(name) ?? bundle(entry)
  bundled.set(name, known)
  known.catch(() => bundled.delete(name))
  return { script: await known, eval: true, argv: [] }
}

async function bundle(entry: string): Promise<string> {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(entry)],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: ['pg'],
    define: { 'import.meta.url': JSON.stringify(entry) },
    logLevel: 'silent',
  })
  // Resolves packages that are not bundled from here, wherever the process was started.
  const script = outputFiles[0]?.text ?? ''
  return `((require) => {${script}\n})(require('node:module').createRequire(${JSON.stringify(entry)}))`
}
