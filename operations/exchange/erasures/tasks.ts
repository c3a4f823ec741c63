import { task } from '../../../runtime/table/task.ts'

const MINUTE = 60_000

export const visits_erasing = task({
  name: 'visits_erasing',
  summary: 'Erases visits that meet conditions, with their hits and copies',
  every: 5 * MINUTE,
  lease: 2 * MINUTE,
  async run(context) {
    const { eraseVisits } = await import('./erase.ts')
    return { more: await eraseVisits(context) }
  },
})
