/** The canonical form of a site's domain, and a format that checks inputs for it. */
import { defineFormat } from '../../../runtime/table/schema.ts'

defineFormat('domain', 300, text => canonicalDomain(text) !== null)

/** Labels as in RFC 1123 §2.1, and a port: none is empty, and a hyphen neither begins nor ends one. */
const HOST = /^(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*(:\d+)?$/

/** `https://www.Example.com/` → `example.com`; null if it is not a host name. */
export function canonicalDomain(text: string): string | null {
  const host = text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/\/.*$/, '')
    .replace(/^www\./, '')
    .replace(/\.$/, '')
  if (!URL.canParse(`http://${host}`)) return null
  const { hostname, port, username } = new URL(`http://${host}`)
  const name = hostname + (port && `:${port}`)
  return username === '' && HOST.test(name) && name.length <= 253 ? name : null
}
