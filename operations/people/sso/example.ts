/** A domain that waits for its verification, and another workspace with a tested configuration. */
import { exampleRecords } from '../../../runtime/table/example.ts'
import { claimDomain } from './claim.ts'
import { draftOf } from './records.ts'
import { save } from './save.ts'

/** A certificate whose private key was thrown away. */
const certificate = `-----BEGIN CERTIFICATE-----
MIIBijCCATGgAwIBAgIUHcSdgNu24l0c4bCoS1G0yPCcLywwCgYIKoZIzj0EAwIw
GjEYMBYGA1UEAwwPaWRwLmV4YW1wbGUuY29tMCAXDTI2MTEyMjE4MzExMVoYDzIx
MjYxMDI5MTgzMTExWjAaMRgwFgYDVQQDDA9pZHAuZXhhbXBsZS5jb20wWTATBgcq
hkjOPQIBBggqhkjOPQMBBwNCAAR7gHapIm1FEyB610h8yAMgwY/gtuoGHNUPlwOt
YVNWKtQc64SkGjidBwVeZHOl4vFesVZPTrYfaFei3vyXRcsCo1MwUTAdBgNVHQ4E
FgQUm/KypGaFRDta1TNOxM8E5Lux/ogwHwYDVR0jBBgwFoAUm/KypGaFRDta1TNO
xM8E5Lux/ogwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiBwVEpP
LAchtFsH4eaalExT0nh8RpW6nV+V6PiA/2GSpwIgEJLjnqInT+M1EIt6/D7+N+nd
x+0wWt23Q/PTt2oy+lo=
-----END CERTIFICATE-----
`

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
    idp_certs: JSON.stringify([certificate]),
  })
  return { sso_domain: claimed.id }
})
