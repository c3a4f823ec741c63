import { task } from '../../../runtime/table/task.ts'

const minutes = 60_000

export const sites_merging = task({
  name: 'sites_merging',
  summary: 'Moves the history of merged sites into the other site',
  every: minutes,
  lease: 2 * minutes,
  async run(context) {
    const { mergeSites } = await import('./merge.ts')
    return { more: await mergeSites(context) }
  },
})
