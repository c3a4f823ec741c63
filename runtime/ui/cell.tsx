/** A value of an answer, by its schema: in a cell of a table, or whole. */
import type { TSchema } from '@sinclair/typebox'
import type { Child } from 'hono/jsx'
import { isObject } from '../values/json.ts'
import { sentence } from '../table/schema.ts'
import { conditionWords, isCondition } from './conditions.ts'
import { day, inUnit, instant, type Viewer } from './format.ts'
import { fieldWords, valueWords } from './words.ts'
import { Message } from '../texts/message.ts'
import { ui } from './messages.ts'
import { say } from '../texts/say.ts'

/** `T | null | ''` is a T that may be left empty. */
export function bare(schema: TSchema): { schema: TSchema; clearable: boolean } {
  const variants: readonly TSchema[] | undefined = schema.anyOf
  if (!variants) return { schema, clearable: false }
  const kept = variants.filter(({ type, const: constant }) => type !== 'null' && constant !== '')
  const [only] = kept
  if (!only || kept.length > 1) return { schema, clearable: kept.length < variants.length }
  const { description = only.description, unit = only.unit, better = only.better } = schema
  const merged: TSchema = { ...only, description, unit, better }
  return { schema: merged, clearable: true }
}

const good = new Set([
  'ok',
  'up',
  'active',
  'enabled',
  'delivered',
  'verified',
  'tested',
  'succeeded',
  'sent',
  'resolved',
  'improved',
  'good',
])
const middling = new Set(['needs_improvement', 'needs-improvement', 'degraded', 'partial_outage', 'degraded_performance'])
const bad = new Set(['triggered', 'down', 'failing', 'failed', 'revoked', 'expired', 'error', 'poor'])

export function Tag({ value, viewer }: { value: unknown; viewer: Viewer }) {
  const text = String(value)
  const kind = good.has(text) ? 'good' : middling.has(text) ? 'middling' : bad.has(text) ? 'bad' : 'plain'
  return <span class={`tag ${kind}`}>{valueWords(text, viewer)}</span>
}

/** In place of a value that is not there. Cards on phones leave it out. */
export const nothing = (viewer: Viewer) => (
  <span class="none">
    <span aria-hidden="true">–</span>
    <span class="unseen">{say(viewer, ui.none)}</span>
  </span>
)

/** Addresses that lead out: only http(s), and without a referrer of the page that shows them. */
export const isAddress = (text: string): boolean => /^https?:\/\/[^\s]+$/i.test(text) && URL.canParse(text)
export const Address = ({ href }: { href: string }) => (
  <a href={href} rel="noopener noreferrer nofollow">
    {href}
  </a>
)

/** A value in a cell; lists and records in a few words. */
export function Cell({ schema: given, value, viewer }: { schema: TSchema; value: unknown; viewer: Viewer }): Child {
  const { schema } = bare(given)
  if (value === null || value === undefined || value === '') return nothing(viewer)
  if (typeof value === 'boolean') return say(viewer, value ? ui.yes : ui.no)
  if (typeof value === 'number') return numberText(value, schema, viewer)
  if (typeof value === 'string') {
    if (schema.format === 'date-time' && !Number.isNaN(Date.parse(value))) return <time datetime={value}>{instant(value, viewer)}</time>
    if (schema.format === 'date') return <time datetime={value}>{day(value, viewer)}</time>
    if (schema.enum) return <Tag value={value} viewer={viewer} />
    if (sentence in schema) return say(viewer, value)
    if (value.includes('\n')) return <pre class="lines">{value}</pre>
    return isAddress(value) ? <Address href={value} /> : value
  }
  if (value instanceof Message) return say(viewer, value)
  if (Array.isArray(value)) return value.length === 0 ? nothing(viewer) : listed(schema, value, viewer)
  return isObject(value) ? inWords(schema, value, viewer) : String(value)
}

/** Ports, states and years have no unit, and no separator either. */
const numberText = (value: number, { unit, type }: TSchema, viewer: Viewer): string =>
  unit === undefined && type === 'integer' && Math.abs(value) < 100_000 ? String(value) : inUnit(value, unit, viewer)

/** More are folded. */
const manyValues = 30

function listed(schema: TSchema, values: readonly unknown[], viewer: Viewer): Child {
  const items: TSchema = schema.items ?? {}
  if (isCondition(items)) return inList(values.map(value => conditionWords(value, viewer)))
  if (values.some(value => typeof value === 'object')) return `${values.length}`
  if (values.length > manyValues) {
    return (
      <details>
        <summary>{say(viewer, ui.values, { count: values.length })}</summary>
        {listed(schema, values.slice(0, manyValues), viewer)} …
      </details>
    )
  }
  return inList(values.map(value => (items.enum ? valueWords(value, viewer) : <Cell schema={items} value={value} viewer={viewer} />)))
}

const inList = (values: readonly Child[]): Child => (
  <ul class="inline">
    {values.map(value => (
      <li>{value}</li>
    ))}
  </ul>
)

const inWords = ({ properties = {} }: TSchema, value: Readonly<Record<string, unknown>>, viewer: Viewer): string =>
  Object.entries(value)
    .filter(([, each]) => each !== null && (typeof each !== 'object' || each instanceof Message))
    .map(([name, each]) => `${fieldWords(name, viewer)}: ${inText(bare(properties[name] ?? {}).schema, each, viewer)}`)
    .join(', ')

function inText(schema: TSchema, value: unknown, viewer: Viewer): string {
  if (typeof value === 'boolean') return say(viewer, value ? ui.yes : ui.no)
  if (typeof value === 'number') return numberText(value, schema, viewer)
  if (schema.enum) return valueWords(value, viewer)
  if (value instanceof Message) return say(viewer, value)
  return sentence in schema ? say(viewer, String(value)) : String(value)
}

/** Whether values of it are set to the right, so that their digits are aligned. */
export const isNumber = (given: TSchema): boolean => {
  const { type } = bare(given).schema
  return type === 'integer' || type === 'number'
}
