import { task } from '../../../runtime/task.ts'
import { reader } from '../../../storage/engine/threads/reader.ts'
import { sealDays } from '../../../storage/engine/seal-days.ts'

const minutes = 60_000

export const days_seal = task({
  name: 'days_seal',
  summary: 'Turns days that are over into columns, which reports read faster than rows',
  every: minutes,
  lease: 2 * minutes,
  async run({ store, now, signal, use, log, progress }) {
    const more = await sealDays({
      store, reader: use(reader), now, signal,
      progress: done => progress(done, null),
      failed: ({ site, day }, err) => log.error({ site, day, err }, 'a day could not be sealed'),
    })
    return { more }
  },
})
