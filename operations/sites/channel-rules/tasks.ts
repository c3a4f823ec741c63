import { task } from '../../../runtime/table/task.ts'
import { applyChannels } from './apply.ts'

export const channels_apply = task({
  name: 'channels_apply',
  summary: 'Gives visits of the past their channels by the site’s rules, where that was asked for',
  every: 60_000,
  lease: 2 * 60_000,
  run: async context => ({ more: await applyChannels(context) }),
})
