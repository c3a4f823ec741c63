/** Accepts conditions from people who do not know the vocabulary: `==`, `Germany`, a list after `is`. */
import { nameOfCode } from '../../../runtime/texts/code-names.ts'
import { languages } from '../../../runtime/texts/reader.ts'
import { regionsIn } from '../../../runtime/texts/region-names.ts'
import { deviceKinds } from '../../../storage/engine/vocabulary/devices.ts'
import { dimensions, labelOf } from '../../../storage/engine/vocabulary/dimensions.ts'
import { networkKinds } from '../../../storage/engine/vocabulary/networks.ts'
import { isOperator, type Operator } from '../../../storage/engine/vocabulary/operators.ts'
import { regionsCalled } from '../../../storage/engine/vocabulary/regions.ts'

const signs = new Map<string, Operator>(
  Object.entries({
    '=': 'is',
    '==': 'is',
    eq: 'is',
    equals: 'is',
    '!=': 'is_not',
    '<>': 'is_not',
    neq: 'is_not',
    not_equals: 'is_not',
    in: 'any_of',
    not_in: 'none_of',
    '~': 'contains',
    like: 'contains',
    includes: 'contains',
    '!~': 'not_contains',
    begins_with: 'starts_with',
    startswith: 'starts_with',
    matches: 'regex',
    '>': 'gt',
    '<': 'lt',
  } satisfies Record<string, Operator>),
)
const ofMany: Readonly<Partial<Record<Operator, Operator>>> = { is: 'any_of', is_not: 'none_of' }
const ofOne: Readonly<Partial<Record<Operator, Operator>>> = { any_of: 'is', none_of: 'is_not' }

/** @returns the operator that was probably meant, or the given one */
export function likelyOperator(given: unknown, value: unknown): unknown {
  if (typeof given !== 'string' || given.length > 40) return given
  const word = given
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_')
  const operator = isOperator(word) ? word : signs.get(word)
  if (operator === undefined) return given
  const fitting = Array.isArray(value) ? ofMany[operator] : typeof value === 'object' ? undefined : ofOne[operator]
  return fitting ?? operator
}

const exact: ReadonlySet<Operator> = new Set(['is', 'is_not', 'any_of', 'none_of'])

/**
 * Returns the code of a country, region, language, device or weekday for its name in English or another language of
 * pages, or for a code in another case.
 * Regions share names, and some geo databases contain only names, so the result may have several values.
 */
export function likelyValues(dimension: string, operator: Operator, value: string): readonly string[] {
  if (!exact.has(operator)) return [value]
  if (dimension === 'region') return [...new Set([...regionsCalled(value), ...regionsIn(value), value])]
  return [codesOf(dimension)?.get(value.trim().toLowerCase()) ?? value]
}

/** Whether no visit can have the value, because it is not a country code. */
export const isStray = (dimension: string, operator: Operator, value: string): boolean =>
  dimension === 'country' &&
  exact.has(operator) &&
  value !== '' &&
  value !== dimensions.get(dimension)?.blank &&
  !/^[A-Z0-9]{2}$/.test(value)

/** Codes by lower-case name and lower-case code. */
const known = new Map<string, ReadonlyMap<string, string>>()

function codesOf(name: string): ReadonlyMap<string, string> | undefined {
  const kind = kinds.get(name)
  const dimension = dimensions.get(name)
  if (!kind || !dimension) return undefined
  let codes = known.get(name)
  if (!codes) {
    const pairs = kind.codes().flatMap(code => {
      const own = kind.own(code)
      const label = labelOf(dimension, own)
      return label === own ? [] : [[code.toLowerCase(), own] as const, [label.toLowerCase(), own] as const]
    })
    // The English name takes precedence if another language uses it for another code.
    const elsewhere = pairs.flatMap(([, own]) =>
      languages.flatMap(locale => [[nameOfCode(name, own, { locale })?.toLowerCase() ?? own, own] as const]),
    )
    known.set(name, (codes = new Map([...elsewhere, ...pairs, ...Object.entries(kind.also ?? {})])))
  }
  return codes
}

interface Kind {
  codes(): string[]
  /** Returns the current code for one that was replaced; for example, `GB` for `UK`. */
  own(code: string): string
  /** Names that the list of names lacks. */
  readonly also?: Readonly<Record<string, string>>
}

const letters = [...'abcdefghijklmnopqrstuvwxyz']
const pairs = () => letters.flatMap(first => letters.map(second => first + second))

const named: Readonly<Record<string, Kind>> = {
  country: {
    codes: () => pairs().map(pair => pair.toUpperCase()),
    own: code => new Intl.Locale(`und-${code}`).region ?? code,
    also: { usa: 'US', 'united states of america': 'US', 'great britain': 'GB', 'czech republic': 'CZ', holland: 'NL', turkey: 'TR' },
  },
  language: { codes: pairs, own: code => new Intl.Locale(code).language },
  device: {
    codes: () => [...deviceKinds],
    own: code => code,
    also: {
      phone: 'mobile',
      smartphone: 'mobile',
      computer: 'desktop',
      television: 'tv',
      'smart tv': 'tv',
      smarttv: 'tv',
      watch: 'wearable',
    },
  },
  hour: {
    codes: () => Array.from({ length: 24 }, (_, hour) => String(hour)),
    own: code => code,
    also: Object.fromEntries(Array.from({ length: 10 }, (_, hour) => [`0${hour}`, String(hour)])),
  },
  bounce: { codes: () => ['yes', 'no'], own: code => code, also: { true: 'yes', false: 'no', '1': 'yes', '0': 'no' } },
  new_person: {
    codes: () => ['yes', 'no'],
    own: code => code,
    also: { true: 'yes', false: 'no', new: 'yes', returning: 'no', '1': 'yes', '0': 'no' },
  },
  network_kind: { codes: () => [...networkKinds], own: code => code, also: { datacenter: 'hosting', 'data center': 'hosting' } },
  weekday: { codes: () => ['1', '2', '3', '4', '5', '6', '7'], own: code => code },
}
const kinds: ReadonlyMap<string, Kind> = new Map(Object.entries(named))
