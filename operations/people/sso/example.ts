/** A domain that waits for its proof, and beside it a workspace whose configuration was tested. */
import { exampleRecords } from '../../../runtime/example.ts'
import { claimDomain } from './claim.ts'
import { draftOf } from './records.ts'
import { save } from './save.ts'

export const example = exampleRecords(async world => {
  const { db, now, domain, id } = world
  const workspaceId = id('workspace')
  const claimed = await claimDomain(world, workspaceId, domain)
  await save(db, {
    ...draftOf(workspaceId, now),
    status: 'tested',
    tested_at: now,
    idp_sso_url: `https://idp.${domain}/sso`,
    idp_entity_id: `https://idp.${domain}`,
  })
  return { sso_domain: claimed.id }
})
