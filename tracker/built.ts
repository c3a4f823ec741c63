import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

/** The tracker as browsers get it. */
export type Tracker = Readonly<{ script: string; vitals: string; plausible: string }>

/** Stands in `plausible` for the words of the name it is asked for by. */
export const VARIANT = '%variant%'

/** From `dist/`; what runs from the sources makes it of the sources. */
export const readTracker = async (): Promise<Tracker> => {
  if (!import.meta.built) return (await import('./build.ts')).buildTracker()
  const { resolve } = createRequire(import.meta.url)
  const read = (name: string) => readFile(resolve(`#built/tracker/${name}.js`), 'utf8')
  const [script, vitals, plausible] = await Promise.all([read('footfall'), read('vitals'), read('plausible')])
  return { script, vitals, plausible }
}
