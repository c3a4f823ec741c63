import { task } from '../../../runtime/table/task.ts'
import { mergeSites } from './merge.ts'

const minutes = 60_000

export const sites_merging = task({
  name: 'sites_merging',
  summary: 'Moves the history of merged sites into the other site',
  every: minutes,
  lease: 2 * minutes,
  run: async context => ({ more: await mergeSites(context) }),
})
