/** Client metadata: sent at registration (RFC 7591 §2), or in the document at the client's id. */
import { oneLine } from '../../../runtime/values/one-line.ts'
import { redirectFault } from './redirect.ts'

export interface ClientMetadata {
  readonly name: string
  readonly redirectUris: readonly string[]
}

export interface MetadataFault {
  readonly error: 'invalid_redirect_uri' | 'invalid_client_metadata'
  readonly description: string
}

const maxRedirects = 20
const maxNameLength = 100

/** Reads client metadata. Ignores unknown fields, as RFC 7591 asks, and logos and links, which are never shown. */
export function readMetadata(given: Readonly<Record<string, unknown>>, schemes: readonly string[]): ClientMetadata | MetadataFault {
  const { redirect_uris: uris, client_name: name } = given
  if (!isListOfTexts(uris) || uris.length === 0 || uris.length > maxRedirects)
    return redirect(`redirect_uris must be a list of 1 to ${maxRedirects} URIs`)
  for (const [i, uri] of uris.entries()) {
    const fault = redirectFault(uri, schemes)
    if (fault !== undefined) return redirect(`redirect_uris[${i}] ${fault}`)
  }
  if (name !== undefined && typeof name !== 'string') return metadata('client_name must be a string')
  for (const [field, needed] of [
    ['grant_types', 'authorization_code'],
    ['response_types', 'code'],
  ] as const) {
    const value = given[field]
    if (value === undefined) continue
    if (!isListOfTexts(value) || !value.includes(needed))
      return metadata(`${field} must be a list that includes ${needed}, the only supported value`)
  }
  const [first = ''] = uris
  const shown = oneLine((name ?? '').slice(0, 1_000)).slice(0, maxNameLength)
  return { name: shown || new URL(first).host || 'A program', redirectUris: [...new Set(uris)] }
}

const redirect = (description: string): MetadataFault => ({ error: 'invalid_redirect_uri', description })
const metadata = (description: string): MetadataFault => ({ error: 'invalid_client_metadata', description })

const isListOfTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length <= 100 && value.every(each => typeof each === 'string')
