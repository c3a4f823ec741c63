import { isObject } from '../../../../runtime/values/json.ts'
import { LIMITS, type PropValue, type SentHit } from '../hit.ts'
import { objectOf, type JsonObject } from './json-object.ts'
import { text } from './text.ts'

/**
 * Reads the properties of a hit: the first 30 whose values are text, numbers or flags. Flattens nested objects with dots
 * down to `depth` levels, joins lists of plain values, and ignores anything deeper. Of equal keys, the first one
 * counts.
 */
export function propsOf(sent: unknown, depth = 1): SentHit['props'] {
  const props = new Map<string, PropValue>()
  const object = objectOf(sent)
  if (object) collect({ read: { props, keys: 0 }, object, prefix: '', depth })
  return [...props]
}

interface Collect {
  readonly read: Read
  readonly object: JsonObject
  readonly prefix: string
  readonly depth: number
}

function collect({ read, object, prefix, depth }: Collect): void {
  const { props } = read
  for (const name of Object.keys(object)) {
    if (props.size >= LIMITS.props || ++read.keys > LIMITS.keys) return
    const sent = object[name]
    if (depth > 1 && isObject(sent)) {
      collect({ read, object: sent, prefix: `${prefix}${name}.`, depth: depth - 1 })
      continue
    }
    const key = text(prefix + name, LIMITS.key)
    const value = depth > 1 && Array.isArray(sent) ? joined(sent) : plain(sent)
    if (key !== '' && value !== '' && !props.has(key)) props.set(key, value)
  }
}

/** `keys` counts keys read so far, whatever their values. */
interface Read {
  readonly props: Map<string, PropValue>
  keys: number
}

/** '' for invalid values: none, an object, or a number that is not finite (JSON may contain `1e999`). */
function plain(sent: unknown): PropValue {
  if (typeof sent === 'boolean') return sent
  if (typeof sent === 'number') return Number.isFinite(sent) ? sent : ''
  return text(sent)
}

function joined(sent: readonly unknown[]): string {
  return text(
    sent
      .slice(0, 100)
      .map(plain)
      .filter(value => value !== '')
      .join(', '),
  )
}
