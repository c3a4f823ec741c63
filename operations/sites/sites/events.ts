import { event } from '../../../runtime/events/event.ts'
import { Site } from './records.ts'

export const site_created = event({ type: 'site.created', summary: 'A site was created.', data: Site })
export const site_moved = event({
  type: 'site.transferred',
  summary: 'A site moved to another workspace. Both workspaces get the event; `data.workspace_id` is the new one.',
  data: Site,
})
export const site_deleted = event({
  type: 'site.deleted',
  summary: 'A site was deleted. Its hits are deleted in the background.',
  data: Site,
})
