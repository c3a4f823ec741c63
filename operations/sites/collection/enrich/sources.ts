import { parse } from 'tldts'
import { bareHost } from '../formats/address.ts'
import { AD_HOSTS, AD_SPELLINGS, SOURCES, type SourceKind } from './source-table.ts'

export interface Source {
  readonly name: string
  readonly kind: SourceKind
  /** Whether the spelling names an ad, for example `adwords` or `facebook_ads`. */
  readonly paid: boolean
}

const byHost = new Map<string, Source>()
const bySpelling = new Map<string, Source>()

for (const [kind, rows] of SOURCES) {
  for (const [name, hosts, spellings = ''] of rows) {
    const source = Object.freeze({ name, kind, paid: false })
    for (const host of hosts.split(' ')) byHost.set(host, source)
    for (const spelling of spellings.split(' ')) bySpelling.set(spelling, source)
    if (!spellings.startsWith('-')) bySpelling.set(spelled(name), source)
  }
}
bySpelling.delete('')
for (const [host, name] of AD_HOSTS) {
  const advertiser = bySpelling.get(spelled(name))
  if (advertiser) byHost.set(host, Object.freeze({ ...advertiser, paid: true }))
}

/**
 * The source of a referring host, in the form of `bareHost`: the host itself, a parent domain, or a name under any
 * public suffix. Undefined for unknown hosts.
 */
export function sourceOfHost(host: string): Source | undefined {
  const { domain, publicSuffix } = parse(host, { extractHostname: false })
  if (!domain || !publicSuffix) return byHost.get(host)
  for (let part = host; part.length >= domain.length; part = part.slice(part.indexOf('.') + 1)) {
    const source = byHost.get(part) ?? byHost.get(`${part.slice(0, -publicSuffix.length)}*`)
    if (source) return source
  }
  return undefined
}

/** The source of an Android app, by its package. Some apps send the host of their site instead: `android-app://m.facebook.com`. */
export function sourceOfApp(id: string): Source | undefined {
  return byHost.get(id) ?? sourceOfHost(id)
}

/** The source named by utm_source, source or ref: a name, a spelling of it, or a host. */
export function sourceOfTag(tag: string): Source | undefined {
  const spelling = spelled(tag)
  const known = bySpelling.get(spelling) ?? (tag.includes('.') ? sourceOfHost(bareHost(tag)) : undefined)
  if (known) return known
  const advertiser = bySpelling.get(spelled(AD_SPELLINGS.get(spelling) ?? spelling.replace(/ads?$/, '')))
  return advertiser && { ...advertiser, paid: true }
}

function spelled(name: string): string {
  return name.toLowerCase().replace(/[\s_-]+/g, '')
}
