/** For each kind of check: the fields of its target that it requires, and those it does not use. */
import { isIP } from 'node:net'
import { getDomain } from 'tldts'
import type { Fault } from '../../../runtime/table/errors.ts'
import { bareHost, hostOf, targetUrl } from '../../../runtime/outbound/target.ts'
import { fieldTerm, type Message, type Term, valueTerm } from '../../../runtime/texts/message.ts'
import type { UptimeCheckRow } from '../../../storage/tables/index.ts'
import { m } from './messages.ts'

export type Kind = UptimeCheckRow['kind']
export type Target = Pick<
  UptimeCheckRow,
  'kind' | 'url' | 'host' | 'port' | 'keyword' | 'expected_status' | 'accepted_statuses' | 'http_method'
>

const needs = {
  http: ['url'],
  keyword: ['url', 'keyword'],
  tcp: ['host', 'port'],
  dns: ['host'],
} as const satisfies Record<Kind, readonly (keyof Target)[]>

const fields = ['url', 'host', 'port', 'keyword'] as const
type PlainInput = { readonly [K in Exclude<keyof Target, 'accepted_statuses'>]?: Target[K] | '' | undefined }
export interface TargetInput extends PlainInput {
  readonly accepted_statuses?: readonly string[] | undefined
}

/**
 * The target of a new or changed check, and every fault of the input. A field that is left out keeps its value; a field
 * that the new kind does not use is dropped silently.
 */
export function resolveTarget(given: TargetInput, before?: Target): { target: Target; faults: Fault[] } {
  const kind = given.kind || before?.kind || 'http'
  const needed: readonly string[] = needs[kind]
  const faults: Fault[] = []
  const fault = (field: string, code: Fault['code'], message: (params: { field: Term; kind: Term }) => Message) =>
    faults.push({ pointer: `/${field}`, code, message: message({ field: fieldTerm(field), kind: valueTerm(kind) }) })
  const pick = <F extends (typeof fields)[number]>(field: F): Target[F] | null => {
    const isNeeded = needed.includes(field)
    const kept = isNeeded ? (before?.[field] ?? null) : null
    const plain: PlainInput = given
    const value: Target[F] | '' | null | undefined = plain[field]
    const chosen = value === undefined ? kept : value === '' ? null : value
    if (isNeeded && chosen === null) fault(field, 'required', m.field_required)
    if (!isNeeded && chosen !== null) fault(field, 'mismatch', m.field_not_used)
    return chosen
  }
  const target: Target = {
    kind,
    url: pick('url'),
    host: pick('host'),
    port: pick('port'),
    keyword: pick('keyword'),
    expected_status: given.expected_status || before?.expected_status || 200,
    accepted_statuses: given.accepted_statuses
      ? JSON.stringify([...new Set(given.accepted_statuses)])
      : (before?.accepted_statuses ?? '[]'),
    http_method: given.http_method || before?.http_method || 'GET',
  }
  if (target.url !== null && !isCallable(() => targetUrl(target.url ?? ''))) {
    fault('url', 'invalid_format', m.not_a_url)
  }
  if (target.host !== null && !isCallable(() => bareHost(target.host ?? ''))) {
    fault('host', 'invalid_format', m.not_a_host)
  }
  if (kind === 'keyword' && target.http_method === 'HEAD') {
    if (given.http_method !== 'HEAD') target.http_method = 'GET'
    else fault('http_method', 'mismatch', m.head_has_no_body)
  }
  return { target, faults }
}

function isCallable(read: () => unknown): boolean {
  try {
    read()
    return true
  } catch {
    return false
  }
}

/** The registered domain, such as `example.co.uk`; null for addresses and names outside the public registries. */
export function registrableDomain({ url, host }: Target): string | null {
  const { name } = url === null ? bareHost(host ?? '') : hostOf(targetUrl(url))
  return isIP(name) ? null : getDomain(name, { allowPrivateDomains: false })
}

/** Whether the target has changed, so that earlier results no longer apply. */
export function aimsElsewhere(before: Target, after: Target): boolean {
  return (['kind', 'expected_status', 'accepted_statuses', 'http_method', ...fields] as const).some(field => before[field] !== after[field])
}
