/** A client: a registered one, or one whose id is the URL of a document that describes it. */
import { idKind } from '../../../runtime/values/ids.ts'
import { documentOf, type ClientLookup } from './client-document.ts'
import type { ClientMetadata } from './client-metadata.ts'
import { ClientFault } from './fault.ts'
import { redirectFault } from './redirect.ts'
import { OAUTH_SCHEMES } from './settings.ts'
import { m } from './messages.ts'

export const ids = { oauth_client: idKind('ocl_') }

export interface Client extends ClientMetadata {
  readonly id: string
  /** Whether its id is a URL, whose host supplied its metadata. Registered clients choose their names freely. */
  readonly isVerified: boolean
}

export const isAddress = (clientId: string): boolean => /^https?:\/\//.test(clientId)

/** @throws ClientFault, Failure `rate_limited` */
export async function findClient(finding: ClientLookup, id: string): Promise<Client> {
  if (isAddress(id)) return { id, isVerified: true, ...(await documentOf(finding, id)) }
  if (!/^ocl_\w{1,60}$/.test(id)) throw new ClientFault(m.client_unknown())
  const row = await finding.store.read
    .selectFrom('oauth_clients')
    .selectAll()
    .where('id', '=', id)
    .where('expires_at', '>', finding.now)
    .executeTakeFirst()
  if (!row) throw new ClientFault(m.client_forgotten())
  const kept: string[] = JSON.parse(row.redirect_uris) // written by registration.ts
  // Redirects that were registered under looser rules are no longer accepted.
  const schemes = finding.config.of(OAUTH_SCHEMES)
  const redirectUris = kept.filter(uri => redirectFault(uri, schemes) === undefined)
  return { id, isVerified: false, name: row.name, redirectUris }
}

/** The host that vouches for a client; for a registered client, the host of its redirect. */
export function hostOf(clientId: string, redirectUri: string): string {
  const { host, protocol } = new URL(isAddress(clientId) ? clientId : redirectUri)
  return host === '' ? protocol.slice(0, -1) : host
}
