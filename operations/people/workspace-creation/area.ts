import { area } from '../../../runtime/table/area.ts'
import * as operations from './operations.ts'

export default area({
  name: 'Workspace creation',
  description: 'Creates workspaces, each with an owner and a first token.',
  section: 'Workspaces',
  operations,
  asked: {
    workspaces_create: 'new workspace, another workspace, organization',
  },
})
