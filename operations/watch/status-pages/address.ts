/** The address of a status page: a slug below the service's address, or a host of the page. */
import { m } from './messages.ts'
import { fieldTerm } from '../../../runtime/texts/message.ts'
import type { Config } from '../../../runtime/settings/config.ts'
import type { Fault } from '../../../runtime/table/errors.ts'

/** Slugs that other addresses use. */
const taken: readonly string[] = ['subscriptions']

export const slugPattern = '^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$'

export function faultsOfSlug(slug: string | undefined): Fault[] {
  return slug !== undefined && taken.includes(slug)
    ? [{ pointer: '/slug', code: 'invalid_format', message: m.slug_reserved({ field: fieldTerm('slug'), slug }) }]
    : []
}

/** Makes a slug from the letters and digits of a page's name, with a random suffix if it is taken. */
export function slugOf(name: string, isTaken: boolean, random: (size: number) => Buffer): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-|-$/g, '')
  const usable = plain !== '' && !taken.includes(plain)
  return usable && !isTaken ? plain : `${usable ? plain : 'status'}-${random(5).toString('hex')}`
}

/** Normalizes a host name, for example `status.example.com`. Returns undefined for an IP address, a port or a single label. */
export function hostName(text: string): string | undefined {
  const host = text.trim().toLowerCase().replace(/\.$/, '')
  if (host.length > 253 || !URL.canParse(`http://${host}/`)) return undefined
  const { hostname } = new URL(`http://${host}/`)
  const isName = /^(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))+$/.test(hostname) && !/\.\d+$/.test(hostname)
  return isName && !/[:/@?#]/.test(host) ? hostname : undefined
}

/** Faults of the host that serves a page. */
export function faultsOfDomain(text: string | null | undefined, { BASE_URL }: Pick<Config, 'BASE_URL'>): Fault[] {
  if (text === undefined || text === null || text === '') return []
  const host = hostName(text)
  const message =
    host === undefined
      ? m.not_a_domain({ field: fieldTerm('domain'), received: JSON.stringify(text.slice(0, 80)) })
      : host === new URL(BASE_URL).hostname
        ? m.own_domain({ field: fieldTerm('domain') })
        : undefined
  return message === undefined ? [] : [{ pointer: '/domain', code: 'invalid_format', message }]
}
