import { task } from '../../../runtime/table/task.ts'
import { applyChannels } from './apply.ts'

export const channels_apply = task({
  name: 'channels_apply',
  summary: 'Applies the channel rules of a site to past visits, if a member asked for it',
  every: 60_000,
  lease: 2 * 60_000,
  run: async context => ({ more: await applyChannels(context) }),
})
