import type { SentHit } from '../hit.ts'
import { bareHost } from './address.ts'

const SITE_ID = /^pa_\w+$/
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Returns how a sender identifies a site: by our id, a UUID of Umami, or otherwise a domain. */
export function siteOf(name: string): SentHit['site'] {
  if (SITE_ID.test(name)) return { by: 'id', value: name }
  if (UUID.test(name)) return { by: 'umami', value: name.toLowerCase() }
  return { by: 'domain', value: bareHost(name) }
}
