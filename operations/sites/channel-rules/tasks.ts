import { task } from '../../../runtime/table/task.ts'

export const channels_apply = task({
  name: 'channels_apply',
  summary: 'Applies the channel rules of a site to past visits, if a member asked for it',
  every: 60_000,
  lease: 2 * 60_000,
  async run(context) {
    const { applyChannels } = await import('./apply.ts')
    return { more: await applyChannels(context) }
  },
})
