/**
 * Client id metadata documents (draft-ietf-oauth-client-id-metadata-document): the id of a client is the URL of a document
 * that describes it. Footfall fetches it only for signed-in people, through the outbound guard.
 */
import { LRUCache } from 'lru-cache'
import type { HandlerServices } from '../../../runtime/table/services.ts'
import { isObject } from '../../../runtime/values/json.ts'
import { HOUR_MS } from '../../../storage/values/durations.ts'
import { parseJson } from '../../../runtime/call/parse-json.ts'
import { endpointGuard, guardedFetch, OutboundError, urlFaults } from '../../../runtime/outbound/outbound.ts'
import { resource } from '../../../runtime/settings/resource.ts'
import { countShared, tooMany } from '../../../runtime/call/shared-rate.ts'
import { type ClientMetadata, readMetadata } from './client-metadata.ts'
import { ClientFault } from './fault.ts'
import { OAUTH_SCHEMES } from './settings.ts'
import { m } from './messages.ts'
import type { Sentence } from '../../../runtime/texts/message.ts'

/** Services that the search for a client needs. */
export type ClientLookup = Pick<HandlerServices, 'store' | 'config' | 'use'> & { readonly now: number; readonly accountId: string }

const maxIdLength = 500
const maxBytes = 16 * 1024
const freshMs = HOUR_MS
/** Limit on documents that one person may cause to be fetched. */
const reads = { name: 'oauth-documents', limit: 30, windowMs: 15 * 60_000 } as const

interface CachedDocument {
  readonly metadata: ClientMetadata
  readonly until: number
}

const documents = resource<LRUCache<string, CachedDocument>>({
  name: 'client documents',
  open: () => new LRUCache({ max: 500 }),
  close: async cache => cache.clear(),
})

/** @throws ClientFault, Failure `rate_limited` */
export async function documentOf(finding: ClientLookup, id: string): Promise<ClientMetadata> {
  const { store, config, now, accountId } = finding
  const cache = finding.use(documents)
  const known = cache.get(id)
  if (known && known.until > now) return known.metadata
  if (!isDocumentId(id) || urlFaults(id, config).length > 0) throw new ClientFault(m.client_id_is_no_url())
  const wait = await store.transaction(trx => countShared(trx, { sharedLimit: reads, who: accountId, now }))
  if (wait > 0) tooMany(wait)
  const metadata = read(id, await fetched(id, finding), config.of(OAUTH_SCHEMES))
  cache.set(id, { metadata, until: now + freshMs })
  return metadata
}

/** Whether it is a URL with a path in its normal form, so that comparing texts compares addresses. */
function isDocumentId(id: string): boolean {
  if (id.length > maxIdLength || id.includes('#') || !URL.canParse(id)) return false
  const url = new URL(id)
  return url.href === id && url.pathname !== '/' && url.username === '' && url.password === ''
}

async function fetched(id: string, { config }: ClientLookup): Promise<string> {
  try {
    const { status, body, truncated } = await guardedFetch(id, {
      ...endpointGuard(new URL(id), config),
      method: 'GET',
      headers: { accept: 'application/json' },
      timeoutMs: 5_000,
      connectMs: 3_000,
      maxBytes,
      redirects: 0,
    })
    if (status !== 200) throw unreadable(id, m.document_answers({ status }))
    if (truncated) throw unreadable(id, m.document_too_large({ bytes: maxBytes }))
    return body.toString('utf8')
  } catch (thrown) {
    throw thrown instanceof OutboundError ? unreadable(id, thrown.message) : thrown
  }
}

function read(id: string, text: string, schemes: readonly string[]): ClientMetadata {
  const document = parsed(text)
  if (document === undefined) throw unreadable(id, m.document_is_no_object())
  const { client_id, client_secret, client_secret_expires_at, token_endpoint_auth_method: method } = document
  if (client_id !== id) throw unreadable(id, m.document_of_another_client())
  if (client_secret !== undefined || client_secret_expires_at !== undefined) throw unreadable(id, m.document_has_a_secret())
  if (method !== undefined && method !== 'none') throw unreadable(id, m.only_public_clients())
  const metadata = readMetadata(document, schemes)
  if ('error' in metadata) throw unreadable(id, metadata.description)
  return metadata
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value = parseJson(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

const unreadable = (id: string, why: Sentence): ClientFault => new ClientFault(m.document_unusable({ id, why }))
