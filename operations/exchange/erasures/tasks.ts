import { task } from '../../../runtime/table/task.ts'
import { MINUTE_MS } from '../../../storage/values/durations.ts'

export const visits_erasing = task({
  name: 'visits_erasing',
  summary: 'Erases visits that meet conditions, with their hits and copies',
  every: 5 * MINUTE_MS,
  lease: 2 * MINUTE_MS,
  async run(context) {
    const { eraseVisits } = await import('./erase.ts')
    return { more: await eraseVisits(context) }
  },
})
