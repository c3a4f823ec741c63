/** Normalizes the domain of a site, and defines a format that checks inputs. */
import { defineFormat } from '../../../runtime/table/schema.ts'

defineFormat('domain', 300, text => canonicalDomain(text) !== null)

/** Labels as in RFC 1123 §2.1, and a port. Labels are not empty, and do not begin or end with a hyphen. */
const HOST = /^(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*(:\d+)?$/

/** Converts `https://www.Example.com/` to `example.com`; null if it is not a host name. */
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
