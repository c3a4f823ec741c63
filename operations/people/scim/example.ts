/** A SCIM token, and a member as its identity provider sees them. */
import { exampleRecords } from '../../../runtime/table/example.ts'
import { scim } from './authenticator.ts'
import { issueScimToken } from './issue.ts'

export const example = exampleRecords(async world => {
  const { domain, id } = world
  const { token } = await issueScimToken(world, { workspaceId: id('workspace'), createdBy: `owner@${domain}` })
  world.shows(scim, token)
  return { scim_user: id('member') }
})
