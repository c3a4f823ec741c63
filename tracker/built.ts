import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

/** The tracker as served to browsers. */
export type Tracker = Readonly<{ script: string; vitals: string; plausible: string; site: string }>

/** Placeholder in `plausible` for the words in the name it is requested by. */
export const VARIANT = '%variant%'

/** Placeholder in `site` for its settings, JSON. */
export const SETTINGS = '%settings%'

/** From `dist/`; when running from sources, built from them. */
export const readTracker = async (): Promise<Tracker> => {
  if (!import.meta.built) return (await import('./build.ts')).buildTracker()
  const { resolve } = createRequire(import.meta.url)
  const read = (name: string) => readFile(resolve(`#built/tracker/${name}.js`), 'utf8')
  const [script, vitals, plausible, site] = await Promise.all([read('footfall'), read('vitals'), read('plausible'), read('site')])
  return { script, vitals, plausible, site }
}
