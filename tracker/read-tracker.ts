import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Tracker } from './tracker.ts'

/** Reads the tracker from `dist/`; when running from sources, builds it from them. */
export const readTracker = async (): Promise<Tracker> => {
  if (!import.meta.built) return (await import('./build.ts')).buildTracker()
  const { resolve } = createRequire(import.meta.url)
  const read = (name: string) => readFile(resolve(`#built/tracker/${name}.js`), 'utf8')
  const [script, vitals, plausible, site] = await Promise.all([read('footfall'), read('vitals'), read('plausible'), read('site')])
  return { script, vitals, plausible, site, count: () => read('count'), foreign: read }
}
