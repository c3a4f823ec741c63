import { task } from '../../../runtime/table/task.ts'
import { MINUTE_MS } from '../../../storage/values/durations.ts'

export const sites_merging = task({
  name: 'sites_merging',
  summary: 'Moves the history of merged sites into the other site',
  every: MINUTE_MS,
  lease: 2 * MINUTE_MS,
  async run(context) {
    const { mergeSites } = await import('./merge.ts')
    return { more: await mergeSites(context) }
  },
})
