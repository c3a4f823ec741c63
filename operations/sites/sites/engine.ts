/** The analytics engine, opened on first use and shared. */
import { resource } from '../../../runtime/settings/resource.ts'
import { type Engine, openEngine } from '../../../storage/engine/index.ts'

const MEGABYTE = 1_048_576

export const engine = resource<Engine>({
  name: 'engine',
  open: ({ store, config }) => openEngine(store, { threads: config.REPORT_THREADS, cacheBytes: config.REPORT_CACHE_MB * MEGABYTE }),
  close: engine => engine.close(),
})
