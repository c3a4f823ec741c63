/** Names of the table as people read them. */
import { inLanguage, type Reader } from './languages/index.ts'

const capitals: Readonly<Record<string, string>> = {
  api: 'API',
  id: 'ID',
  ip: 'IP',
  ips: 'IPs',
  os: 'OS',
  sso: 'SSO',
  url: 'URL',
  utm: 'UTM',
  oidc: 'OIDC',
  idp: 'IdP',
  http: 'HTTP',
  jit: 'JIT',
  scim: 'SCIM',
  ssl: 'SSL',
  csp: 'CSP',
  csv: 'CSV',
  dnt: 'Do Not Track',
  q: 'search for',
}

/** `bounce_rate`, `UptimeCheck` → `Bounce rate`, `Uptime check`. */
export function words(name: string): string {
  const parts = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[\s_/]+/)
    .filter(part => part !== '')
  const text = parts.map(part => capitals[part] ?? part).join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** A value of an enumeration: `previous_period` → `previous period`. */
export const valueWords = (value: unknown): string => String(value).replaceAll('_', ' ')

/** Ids of a record's fields are called by what they name: `goal_id` → `Goal`. @param reader in whose language; English without */
export function fieldWords(name: string, reader?: Reader): string {
  const text = words(name.replace(/_ids$/, 's').replace(/_id$/, ''))
  return reader ? inLanguage(reader, text) : text
}

/** `/a/{b}` with these values. */
export const filled = (path: string, values: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))

/** The same address with other parameters; undefined takes one away. */
export function withQuery(url: URL, changes: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams(url.search)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) query.delete(name)
    else query.set(name, value)
  }
  const text = query.toString()
  return url.pathname + (text === '' ? '' : `?${text}`)
}

/** Descriptions mark names as Markdown does. */
export const plainText = (description: string): string => description.replaceAll('`', '')
