/** A client: one that registered, or one whose id is the address of a document about it. */
import { idKind } from '../../../runtime/values/ids.ts'
import { documentOf, type Finding } from './client-document.ts'
import type { ClientMetadata } from './client-metadata.ts'
import { ClientFault } from './fault.ts'
import { redirectFault } from './redirect.ts'
import { OAUTH_SCHEMES } from './settings.ts'
import { m } from './messages.ts'

export const ids = { oauth_client: idKind('ocl_') }

export interface Client extends ClientMetadata {
  readonly id: string
  /** Its id is an address, whose host has said what we know of it. Others call themselves what they like. */
  readonly isVerified: boolean
}

export const isAddress = (clientId: string): boolean => /^https?:\/\//.test(clientId)

/** @throws ClientFault, Failure `rate_limited` */
export async function findClient(finding: Finding, id: string): Promise<Client> {
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
  // Those that were registered under looser rules are good no more.
  const schemes = finding.config.of(OAUTH_SCHEMES)
  const redirectUris = kept.filter(uri => redirectFault(uri, schemes) === undefined)
  return { id, isVerified: false, name: row.name, redirectUris }
}

/** The host that vouches for a client; for one that registered, the host of its redirect. */
export function hostOf(clientId: string, redirectUri: string): string {
  const { host, protocol } = new URL(isAddress(clientId) ? clientId : redirectUri)
  return host === '' ? protocol.slice(0, -1) : host
}
