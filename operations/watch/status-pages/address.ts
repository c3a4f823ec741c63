/** The address of a page: a slug below our own, or a host of its own. */
import { m } from './messages.ts'
import { fieldTerm } from '../../../runtime/texts/message.ts'
import type { Config } from '../../../runtime/settings/config.ts'
import type { Fault } from '../../../runtime/table/errors.ts'

/** Words that stand at that place in other addresses. */
const taken: readonly string[] = ['subscriptions']

export const slugPattern = '^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$'

export function faultsOfSlug(slug: string | undefined): Fault[] {
  return slug !== undefined && taken.includes(slug)
    ? [{ pointer: '/slug', code: 'invalid_format', message: m.slug_reserved({ field: fieldTerm('slug'), slug }) }]
    : []
}

/** A slug for a page of this name: its letters and digits, and where that is taken some chance. */
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

/** A host name in its one form, `status.example.com`; undefined for anything else: an address, a port, a single label. */
export function hostName(text: string): string | undefined {
  const host = text.trim().toLowerCase().replace(/\.$/, '')
  if (host.length > 253 || !URL.canParse(`http://${host}/`)) return undefined
  const { hostname } = new URL(`http://${host}/`)
  const isName = /^(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))+$/.test(hostname) && !/\.\d+$/.test(hostname)
  return isName && !/[:/@?#]/.test(host) ? hostname : undefined
}

/** Faults of a page's own host. */
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
