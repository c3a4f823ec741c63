/** A token of the owner, who can rotate it. */
import { exampleRecords } from '../../../runtime/table/example.ts'
import { issueToken } from './issue.ts'

export const example = exampleRecords(async ({ db, now, id, random }) => {
  const grant = { workspaceId: id('workspace'), memberId: id('owner'), name: 'Nightly report', permissions: ['analytics.read'] }
  const { row } = await issueToken(db, { now, random }, grant)
  return { own_token: row.id }
})
