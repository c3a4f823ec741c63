import { task } from '../../../runtime/task.ts'
import { engine } from './engine.ts'

const minutes = 60_000

export const days_seal = task({
  name: 'days_seal',
  summary: 'Turns days that are over into columns, which reports read faster than rows',
  every: minutes,
  lease: 2 * minutes,
  async run({ now, signal, use, log, progress }) {
    const more = await use(engine).sealDays({
      now,
      signal,
      progress: done => progress(done, null),
      failed: ({ site, day }, err) => log.error({ site, day, err }, 'a day could not be sealed'),
    })
    return { more }
  },
})
