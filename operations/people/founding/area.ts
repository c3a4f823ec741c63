import { area } from '../../../runtime/area.ts'
import * as operations from './operations.ts'

export default area({
  name: 'Founding',
  description: 'How a workspace begins: with an owner and a first token.',
  section: 'Workspaces',
  operations,
  asked: {
    workspaces_create: 'new workspace, another workspace, organization',
  },
})
