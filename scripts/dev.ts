/** `npm run dev`: the service, rebuilt and restarted whenever a source changes. Takes the arguments of `npm start`. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type BuildOptions, context, type Plugin } from 'esbuild'
import manifest from '../package.json' with { type: 'json' }
import { trackerOptions } from '../tracker/build.ts'
import { packagesApart, pageAssets, service as program, starters, threads } from './build/options.ts'
import { bringUpToDate } from './up-to-date.mjs'

/** A change often triggers several builds. */
const SETTLED_MS = 100

const problem = bringUpToDate() // copies files that are not bundled
if (problem) throw new Error(problem.message)

const flags = manifest.scripts.start.split(' ').filter(word => word.startsWith('--'))
let service: ChildProcess | undefined
let starting: Promise<void> = Promise.resolve()
let timer: NodeJS.Timeout | undefined

async function restart(): Promise<void> {
  await stop()
  service = spawn(process.execPath, [...flags, '--enable-source-maps', 'dist/footfall.js', 'serve', ...process.argv.slice(2)], {
    stdio: 'inherit',
  })
}
async function stop(): Promise<void> {
  if (!service || service.exitCode !== null || service.signalCode !== null) return
  const ended = once(service, 'exit')
  service.kill('SIGTERM')
  await ended
}

const restartAfterBuild: Plugin = {
  name: 'restart after build',
  setup: ({ onEnd }) =>
    onEnd(({ errors }) => {
      if (errors.length > 0) return // errors are printed, and the previous build keeps running
      clearTimeout(timer)
      timer = setTimeout(() => {
        starting = starting.then(restart)
      }, SETTLED_MS)
    }),
}
const built: readonly BuildOptions[] = [starters, program, packagesApart, threads, pageAssets, ...trackerOptions]
for (const options of built) {
  const watched = await context({ ...options, plugins: [...(options.plugins ?? []), restartAfterBuild] })
  await watched.watch()
}
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    clearTimeout(timer)
    void starting.then(stop).then(() => process.exit(0))
  })
}
