/** Hostile values for fields: JSON texts of up to about 1 MiB. */
import type { TSchema } from '@sinclair/typebox'

export interface Hostile {
  readonly what: string
  /** JSON, or text that only looks like it. */
  readonly json: string
}

/** Most bytes of a value, so that the body around it stays under 1 MiB. */
const room = 1_000_000
/** JSON with more parts is refused before parsing (runtime/values/json.ts): smaller values reach later checks. */
const maxParts = 59_000

const times = (text: string, max = room): string => text.repeat(Math.floor(max / text.length))
const partsOf = (json: string): number => (json.match(/[[{,]/g)?.length ?? 0) + 1
const listOf = (item: string, max = room, parts = maxParts): string =>
  `[${times(`${item},`, Math.min(max - item.length - 2, Math.floor(parts / partsOf(item)) * (item.length + 1)))}${item}]`
const textOf = (part: string, max = room): string => `"${times(part, max - 2)}"`
const keys = (count: number, value: string, length = 6): string =>
  `{${Array.from({ length: count }, (_, i) => `"${String(i).padStart(length, 'k')}":${value}`).join(',')}}`

const lists: readonly Hostile[] = [
  { what: 'a list of empty objects', json: listOf('{}') },
  { what: 'a list of nulls', json: listOf('null') },
  { what: 'a list of NULs', json: listOf('"\\u0000\\u0000"') },
  { what: 'a list of halves of surrogate pairs', json: listOf('"\\ud800\\ud800"') },
  { what: 'a list of long texts', json: listOf(textOf('x', 5_000)) },
  { what: 'lists in each other', json: `${'['.repeat(40)}${']'.repeat(40)}` },
  { what: 'lists of lists in each other, just not too deep', json: `${'['.repeat(28)}${listOf('[0]')}${']'.repeat(28)}` },
]
const objects: readonly Hostile[] = [
  { what: 'an object of many keys', json: keys(maxParts, '1', 12) },
  { what: 'an object of many numbers as keys', json: `{${Array.from({ length: maxParts }, (_, i) => `"${i}":1`).join(',')}}` },
  { what: 'an object of few long keys', json: keys(190, '1', 5_000) },
  { what: 'objects in each other', json: `${'{"a":'.repeat(30)}${textOf('x', 900_000)}${'}'.repeat(30)}` },
]
const parts = [
  'x',
  '\\u0000',
  '\\ud800',
  ' ',
  'a@',
  'a.',
  '(',
  '[',
  '/',
  '-',
  '1',
  '%e2%82',
  'é',
  '\\u202e',
  '.*a',
  '(a+)+',
  'a{1,9}',
  '0:',
  '::ffff:',
]
const texts: readonly Hostile[] = parts.map(part => ({ what: `a long text of ${part}`, json: textOf(part) }))
const numbers: readonly Hostile[] = [
  { what: 'a number of a million digits', json: times('9') },
  { what: 'a number beyond all', json: '1e308' },
  { what: 'a fraction of a million digits', json: `0.${times('3')}` },
]
/** Values for any field; mostly without texts, which matter only for text fields. */
export const anything: readonly Hostile[] = [...lists, ...objects, ...texts.filter((_, i) => i % 5 === 1), ...numbers]

/** The largest value that matches the schema as far as possible. */
export function likeIt(schema: TSchema): Hostile[] {
  const variants: readonly TSchema[] = schema.anyOf ?? [schema]
  return variants.flatMap(each => {
    if (each.type === 'array') return [...fullLists(each, each.items), ...conditions(each)]
    if (each.type === 'object') return fields(each)
    if (each.type === 'string' && !each.enum) return textsLike(each)
    return []
  })
}

/** As long as the schema allows; with a format instead, as long as a body may be. */
function textsLike({ maxLength, format, pattern }: TSchema): Hostile[] {
  const short =
    maxLength === undefined
      ? []
      : parts.map(part => ({
          what: `${maxLength} characters of ${part}`,
          json: textOf(part, part.startsWith('\\u') ? maxLength * 6 : maxLength + 2),
        }))
  return [...short, ...((format ?? pattern) === undefined ? [] : texts)]
}

/** As many items as the schema allows, each as large as possible. */
function fullLists(list: TSchema, items: TSchema): Hostile[] {
  const max = Number(list.maxItems ?? 1_000)
  const each = room / max - 2
  const parts = Math.max(1, Math.floor(maxParts / max) - 2)
  const full = (what: string, item: string): Hostile => ({
    what: `${max} items: ${what}`,
    json: `[${Array.from({ length: max }, () => item).join(',')}]`,
  })
  const inner = Object.entries<TSchema>(items.properties ?? {})
  return [
    full('NULs', textOf('\\u0000', each)),
    full('long texts', textOf('x', each)),
    full('empty objects', '{}'),
    full('lists of nulls', listOf('null', each, parts)),
    full('many keys', keys(Math.max(1, Math.min(parts, Math.floor(each / 10))), '1', 4)),
    full('lists in each other', `${'['.repeat(40)}${']'.repeat(40)}`),
    ...inner.flatMap(([name, { type }]) =>
      [
        textOf('\\u0000', each - name.length - 5),
        listOf('{}', each - name.length - 5, parts - 1),
        keys(Math.max(1, Math.min(parts - 1, Math.floor(each / 10) - 4)), '1', 4),
      ].map(json => full(`${String(type)} ${name} as ${json.slice(0, 8)}…`, `{"${name}":${json}}`)),
    ),
  ]
}

function fields(object: TSchema): Hostile[] {
  const names = Object.keys(object.properties ?? {})
  const each = room / Math.max(1, names.length) - 40
  const parts = Math.floor(maxParts / Math.max(1, names.length)) - 2
  return [textOf('\\u0000', each), listOf('{}', each, parts), keys(Math.min(parts, Math.floor(each / 10)), '1', 4)].map(json => ({
    what: `every field as ${json.slice(0, 8)}…`,
    json: `{${names.map(name => `"${name}":${json}`).join(',')}}`,
  }))
}

/** Conditions of filters: as many as allowed, each as expensive to read as possible. */
function conditions(list: TSchema): Hostile[] {
  if (!JSON.stringify(list).includes('operator')) return []
  const all = (what: string, one: string): Hostile => ({
    what: `50 conditions: ${what}`,
    json: `[${Array.from({ length: 50 }, () => one).join(',')}]`,
  })
  const test = (operator: string, value: string) => `["page","${operator}",${value}]`
  const pattern = (text: string) => test('regex', JSON.stringify(text))
  return [
    all('500 values each', test('any_of', listOf('"/a"', 2_500))),
    all('values of NULs', test('any_of', listOf('"\\u0000"', 4_000))),
    all('lists of objects', test('any_of', listOf('{}', 18_000, 1_100))),
    all('unknown dimensions', `[${textOf('\\u0000', 9_000)},"is","x"]`),
    all('unknown operators', `["page",${textOf('x', 15_000)},"x"]`),
    all('objects', keys(1_100, '1', 8)),
    all('choices in each other', `{"any":[{"any":[${test('is', '"x"')}]}]}`),
    all('choices of 50', `{"any":[${Array.from({ length: 50 }, () => test('is', listOf('{}', 300, 18))).join(',')}]}`),
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

/** Whole request bodies. */
export const bodies: readonly Hostile[] = [
  ...lists,
  ...objects,
  ...['{}', 'null', '[]', '0', '""', '"\\u0000"', '"pa_none"'].map(item => ({
    what: `a list of far too many ${item}`,
    json: listOf(item, room, room),
  })),
  { what: 'an object of far too many keys', json: keys(90_000, '1') },
  { what: 'lists in each other, half a million', json: `${'['.repeat(room / 2)}${']'.repeat(room / 2)}` },
  { what: 'objects in each other, far too deep', json: `${times('{"a":', 800_000)}1${'}'.repeat(160_000)}` },
  { what: 'one key, again and again', json: `{${times('"a":1,', maxParts * 6)}"a":1}` },
  { what: 'name, again and again', json: `{${times('"name":"x",', maxParts * 11)}"name":"x"}` },
  { what: 'unknown keys of lists of objects', json: `{"a":${listOf('{}', room, maxParts / 2)},"b":${listOf('{}', room, maxParts / 2)}}` },
  {
    what: 'what the record shows, as a list of objects',
    json: `{"created_at":${listOf('{}', room, maxParts / 2)},"id":${listOf('{}', room, maxParts / 2)}}`,
  },
  { what: 'escapes in the names', json: `{${Array.from({ length: 190 }, (_, i) => `"${'~/'.repeat(2_500)}${i}":1`).join(',')}}` },
  { what: 'no end', json: `{"a":${times('[{"a":', 900_000)}` },
  { what: 'white space', json: `${times(' ')}{}` },
  { what: 'a text', json: textOf('\\u0000') },
]

/** Conditions that are valid, as many and as long as allowed. */
export function validConditions(): Hostile[] {
  const fifty = (what: string, make: (i: number) => unknown): Hostile => ({
    what,
    json: JSON.stringify(Array.from({ length: 50 }, (_, i) => make(i))),
  })
  const values = (i: number) => Array.from({ length: 500 }, (_, n) => `/a/${'x'.repeat(15)}/${i}/${n}/é`)
  return [
    fifty('50 conditions of 500 values', i => ['page', 'any_of', values(i)]),
    fifty('50 negative conditions of 500 values', i => ['page', 'none_of', values(i)]),
    fifty('50 conditions of the same 500 values', () => ['source', 'any_of', values(0)]),
    fifty('50 conditions of 1,000 characters', i => ['page', 'contains', `${i}${'é'.repeat(990)}`]),
    fifty('50 wildcards', i => ['page', i % 2 ? 'matches' : 'not_matches', `/${i}${'*a'.repeat(400)}`]),
    fifty('50 patterns', i => ['page', 'regex', `${i}[a-z]{1,9}(x|y)`]),
    fifty('50 choices', i => ({ any: [['country', 'any_of', values(i)]] })),
    { what: 'one choice of 50', json: JSON.stringify([{ any: Array.from({ length: 50 }, (_, i) => ['page', 'any_of', values(i)]) }]) },
    { what: 'one great pattern', json: JSON.stringify([['page', 'regex', '[^a-z]'.repeat(160)]]) },
  ]
}
