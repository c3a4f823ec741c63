/** Hostile values for fields: JSON texts of up to about 1 MiB. */
import type { TSchema } from '@sinclair/typebox'

export interface Hostile {
  readonly what: string
  /** JSON, or text that only looks like it. */
  readonly json: string
}

/** Most bytes of a value, so that the body around it stays under 1 MiB. */
const room = 1_000_000

const times = (text: string, most = room): string => text.repeat(Math.floor(most / text.length))
const listOf = (item: string, most = room): string => `[${times(`${item},`, most - item.length - 2)}${item}]`
const textOf = (part: string, most = room): string => `"${times(part, most - 2)}"`
const keys = (count: number, value: string, length = 6): string =>
  `{${Array.from({ length: count }, (_, i) => `"${String(i).padStart(length, 'k')}":${value}`).join(',')}}`

const lists: readonly Hostile[] = [
  { what: 'a list of empty objects', json: listOf('{}') },
  { what: 'a list of nulls', json: listOf('null') },
  { what: 'a list of empty lists', json: listOf('[]') },
  { what: 'a list of numbers', json: listOf('0') },
  { what: 'a list of NULs', json: listOf('"\\u0000"') },
  { what: 'a list of halves of surrogate pairs', json: listOf('"\\ud800"') },
  { what: 'a list of empty texts', json: listOf('""') },
  { what: 'a list of long texts', json: listOf(textOf('x', 5_000)) },
  { what: 'lists in each other', json: `${'['.repeat(room / 2)}${']'.repeat(room / 2)}` },
  { what: 'lists of lists in each other, just not too deep', json: `${'['.repeat(28)}${listOf('[0]')}${']'.repeat(28)}` },
]
const objects: readonly Hostile[] = [
  { what: 'an object of many keys', json: keys(60_000, '1') },
  { what: 'an object of many numbers as keys', json: `{${Array.from({ length: 90_000 }, (_, i) => `"${i}":1`).join(',')}}` },
  { what: 'an object of few long keys', json: keys(190, '1', 5_000) },
  { what: 'objects in each other', json: `${times('{"a":', 800_000)}1${'}'.repeat(160_000)}` },
]
const texts: readonly Hostile[] = [
  'x', '\\u0000', '\\ud800', ' ', 'a@', 'a.', '(', '[', '/', '-', '1', '%e2%82', 'é', '\\u202e', '.*a', '(a+)+', 'a{1,9}', '0:', '::ffff:',
].map(part => ({ what: `a long text of ${part}`, json: textOf(part) }))
const numbers: readonly Hostile[] = [
  { what: 'a number of a million digits', json: times('9') },
  { what: 'a number beyond all', json: '1e308' },
  { what: 'a fraction of a million digits', json: `0.${times('3')}` },
]
export const anything: readonly Hostile[] = [...lists, ...objects, ...texts, ...numbers]

/** The largest value that fits the schema as far as possible. */
export function likeIt(schema: TSchema): Hostile[] {
  const variants: readonly TSchema[] = schema.anyOf ?? [schema]
  return variants.flatMap(each => {
    if (each.type === 'array') return [...fullLists(each, each.items), ...(each.minItems === 0 ? [] : []), ...conditions(each)]
    if (each.type === 'object') return fields(each)
    return []
  })
}

/** As many items as the schema allows, each as large as possible. */
function fullLists(list: TSchema, items: TSchema): Hostile[] {
  const most = Number(list.maxItems ?? 1_000)
  const each = room / most - 2
  const full = (what: string, item: string): Hostile => ({ what: `${most} items: ${what}`, json: `[${Array.from({ length: most }, () => item).join(',')}]` })
  const inner = Object.entries<TSchema>(items.properties ?? {})
  return [
    full('NULs', textOf('\\u0000', each)), full('long texts', textOf('x', each)), full('empty objects', '{}'), full('lists of nulls', listOf('null', each)),
    full('many keys', keys(Math.max(1, Math.floor(each / 10)), '1', 4)), full('lists in each other', `${'['.repeat(each / 2)}${']'.repeat(each / 2)}`),
    ...inner.flatMap(([name, { type }]) => [textOf('\\u0000', each - name.length - 5), listOf('{}', each - name.length - 5), keys(Math.max(1, Math.floor(each / 10) - 4), '1', 4)]
      .map(json => full(`${String(type)} ${name} as ${json.slice(0, 8)}…`, `{"${name}":${json}}`))),
  ]
}

function fields(object: TSchema): Hostile[] {
  const names = Object.keys(object.properties ?? {})
  const each = room / Math.max(1, names.length) - 40
  return [textOf('\\u0000', each), listOf('{}', each), keys(Math.floor(each / 10), '1', 4)]
    .map(json => ({ what: `every field as ${json.slice(0, 8)}…`, json: `{${names.map(name => `"${name}":${json}`).join(',')}}` }))
}

/** Conditions of filters: as many as allowed, each as expensive to read as possible. */
function conditions(list: TSchema): Hostile[] {
  if (!JSON.stringify(list).includes('operator')) return []
  const all = (what: string, one: string): Hostile => ({ what: `50 conditions: ${what}`, json: `[${Array.from({ length: 50 }, () => one).join(',')}]` })
  const test = (operator: string, value: string) => `["page","${operator}",${value}]`
  const pattern = (text: string) => test('regex', JSON.stringify(text))
  return [
    all('500 values each', test('any_of', listOf('"/a"', 2_500))),
    all('values of NULs', test('any_of', listOf('"\\u0000"', 4_000))),
    all('lists of objects', test('any_of', listOf('{}', 18_000))),
    all('unknown dimensions', `[${textOf('\\u0000', 9_000)},"is","x"]`),
    all('unknown operators', `["page",${textOf('x', 15_000)},"x"]`),
    all('objects', keys(1_500, '1', 4)),
    all('choices in each other', `{"any":[{"any":[${test('is', '"x"')}]}]}`),
    all('choices of 50', `{"any":[${Array.from({ length: 50 }, () => test('is', listOf('{}', 300))).join(',')}]}`),
    all('repetitions', pattern('a{1,19}'.repeat(30))),
    all('repetitions of repetitions', pattern('(.{0,9}){1,9}'.repeat(20))),
    all('one great repetition', pattern('(a|b|c|d)'.repeat(2) + '{999}')),
    all('every letter there is', pattern('\\p{L}\\p{N}\\P{Lu}'.repeat(60))),
    all('in any case', pattern(`(?i)${'[a-zà-ÿ\\p{L}]'.repeat(60)}`)),
    all('brackets in each other', pattern('('.repeat(300) + 'a' + ')*'.repeat(300))),
    all('alternatives', pattern('a|'.repeat(499))),
    all('classes', pattern('[^a-z]'.repeat(160))),
    all('one long pattern', pattern('x'.repeat(1_000))),
    all('no pattern', pattern('('.repeat(1_000))),
  ]
}

/** Whole bodies. */
export const bodies: readonly Hostile[] = [
  ...lists, ...objects,
  { what: 'one key, a hundred thousand times', json: `{${times('"a":1,')}"a":1}` },
  { what: 'name, again and again', json: `{${times('"name":"x",')}"name":"x"}` },
  { what: 'unknown keys of lists of objects', json: `{"a":${listOf('{}', room / 2)},"b":${listOf('{}', room / 2)}}` },
  { what: 'what the record shows, as a list of objects', json: `{"created_at":${listOf('{}', room / 2)},"id":${listOf('{}', room / 2)}}` },
  { what: 'escapes in the names', json: `{${Array.from({ length: 190 }, (_, i) => `"${'~/'.repeat(2_500)}${i}":1`).join(',')}}` },
  { what: 'no end', json: `{"a":${times('[{"a":', 900_000)}` },
  { what: 'white space', json: `${times(' ')}{}` },
  { what: 'a text', json: textOf('\\u0000') },
]
