/** A registered client, and a client that the owner has connected. */
import { exampleRecords } from '../../../runtime/table/example.ts'
import { issueToken } from '../tokens/index.ts'
import { ids } from './client.ts'
import { accessMs, grantMs, registrationMs } from './lifetimes.ts'

export const example = exampleRecords(async ({ db, now, domain, id, newId, random }) => {
  const oauth_client = newId(ids.oauth_client)
  const redirectUri = `https://client.${domain}/callback`
  await db
    .insertInto('oauth_clients')
    .values({
      id: oauth_client,
      name: 'An assistant',
      redirect_uris: JSON.stringify([redirectUri]),
      created_at: now,
      expires_at: now + registrationMs,
    })
    .execute()
  const permissions = ['analytics.read']
  const { row } = await issueToken(
    db,
    { now, random },
    {
      workspaceId: id('workspace'),
      memberId: id('owner'),
      name: 'An assistant',
      permissions,
      expiresAt: now + accessMs,
      oauthClient: oauth_client,
    },
  )
  await db
    .insertInto('oauth_grants')
    .values({
      token_id: row.id,
      client_id: oauth_client,
      client_host: `client.${domain}`,
      resource: 'http://footfall.test/mcp',
      permissions: JSON.stringify(permissions),
      by_sso: 0,
      created_at: now,
      expires_at: now + grantMs,
    })
    .execute()
  return { oauth_client, connected_client: row.id }
})
