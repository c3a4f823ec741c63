/** Headers of an answer that follow from its operation: the address of the created record, links to other pages, and its deprecation. */
import { isObject } from '../../runtime/values/json.ts'
import type { Answer } from '../../runtime/table/answer.ts'
import { hasAllOf } from '../../runtime/table/subject-finders.ts'
import type { NamedOperation, Table } from '../../runtime/table/table.ts'

interface Asked {
  /** The whole address of the request. */
  readonly url: string
  readonly parameters: Readonly<Record<string, string>>
}

/** Returns headers in addition to the headers of the answer. Created once for an operation, as most have none. */
export type HeadersOf = (answer: Answer, asked: Asked) => Readonly<Record<string, string>>

export function headersOf(table: Table, operation: NamedOperation, baseUrl: string): HeadersOf | undefined {
  const deprecation = deprecationFields(operation, baseUrl)
  const location = operation.status === 201 ? locationOf(table, operation) : undefined
  const isList = operation.answers.kind === 'list'
  if (!deprecation && !location && !isList) return undefined
  return (answer, asked) => {
    const links = [deprecation?.link, isList ? pageLinks(answer, asked) : undefined].filter(Boolean).join(', ')
    return { ...deprecation?.headers, ...location?.(answer, asked), ...(links !== '' && { Link: links }) }
  }
}

/** `Location` of the created record (RFC 9110 §15.3.2), if an operation reads it. */
function locationOf({ operations }: Table, { path, output }: NamedOperation): HeadersOf | undefined {
  const reads = readsOf(operations)
  const read =
    reads.find(each => each.output === output) ??
    reads.find(each => hasAllOf(each.output, output)) ??
    reads.find(each => each.path.replace(/\/\{\w+\}$/, '') === path)
  if (!read) return undefined
  return ({ body }, { parameters }): Record<string, string> => {
    const record = isObject(body) && isObject(body.data) ? body.data : undefined
    if (!record) return {}
    const names = [...read.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    const values = names.map((name, i) => (i === names.length - 1 ? record.id : (parameters[name] ?? record[name])))
    if (values.some(value => typeof value !== 'string')) return {}
    const filled = new Map(names.map((name, i) => [name, encodeURIComponent(String(values[i]))]))
    return { Location: `${read.path.replace(/\{(\w+)\}/g, (_, name: string) => filled.get(name) ?? '')}.json` }
  }
}

const known = new WeakMap<Table['operations'], readonly NamedOperation[]>()
/** The reads of one record. Cached, because each operation that creates a record searches them. */
function readsOf(operations: Table['operations']): readonly NamedOperation[] {
  let reads = known.get(operations)
  if (!reads) {
    reads = [...operations.values()].filter(each => each.method === 'GET' && each.path.endsWith('}') && each.answers.kind === 'record')
    known.set(operations, reads)
  }
  return reads
}

/** Addresses of other pages of a list (RFC 8288). */
function pageLinks({ body }: Answer, { url }: Asked): string | undefined {
  const meta = isObject(body) && isObject(body.meta) ? body.meta : {}
  const { page, total_pages: last } = meta
  if (typeof page !== 'number' || typeof last !== 'number' || last === 1) return undefined
  const { pathname, searchParams } = new URL(url)
  const link = (number: number, rel: string) => {
    const query = new URLSearchParams(searchParams)
    query.set('page', String(number))
    return `<${pathname}?${query}>; rel="${rel}"`
  }
  return [
    ...(page < last ? [link(page + 1, 'next')] : []),
    ...(page > 1 ? [link(Math.min(page - 1, last), 'prev')] : []),
    link(1, 'first'),
    link(last, 'last'),
  ].join(', ')
}

/** `Deprecation` (RFC 9745), `Sunset` (RFC 8594), and a link to the policy. */
function deprecationFields({ deprecated }: NamedOperation, baseUrl: string) {
  if (!deprecated) return undefined
  const { since, until } = deprecated
  return {
    headers: {
      Deprecation: `@${Date.parse(since) / 1000}`,
      ...(until !== undefined && { Sunset: new Date(until).toUTCString() }),
    },
    link: `<${baseUrl}/documentation/api#deprecation>; rel="deprecation"`,
  }
}
