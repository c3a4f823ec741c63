/** Where to report a vulnerability of this installation (RFC 9116). */
import { endpoint } from '../../../runtime/table/endpoint.ts'
import { SECURITY_CONTACT } from './settings.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'

/** The file must say when it becomes stale (§2.5.5). It is made for each request. */
const validMs = 90 * DAY_MS
const plain = { 'Content-Type': 'text/plain; charset=utf-8' }

export const security_txt = endpoint({
  route: 'GET /.well-known/security.txt',
  summary: 'Contact of the operator for vulnerabilities',
  access: 'public',
  async handle(_, { config, now }) {
    const contact = config.of(SECURITY_CONTACT)
    if (contact === '') return { status: 404, headers: plain, body: 'The operator has set no SECURITY_CONTACT.\n' }
    const lines = {
      Contact: contact,
      Expires: new Date(now() + validMs).toISOString(),
      Canonical: `${config.BASE_URL}/.well-known/security.txt`,
    }
    const body = Object.entries(lines)
      .map(([name, value]) => `${name}: ${value}\n`)
      .join('')
    return { status: 200, headers: { ...plain, 'Cache-Control': 'public, max-age=3600' }, body }
  },
})
