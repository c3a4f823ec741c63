/** Rows of a day as blocks, and back: every column of every table, whatever is in it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DayRows, Rows } from '../../../storage/cluster/day-rows.ts'
import { clickFields, hitFields, propFields, rowsOf, vitalFields, visitFields } from '../../../storage/cluster/day-rows.ts'
import { bitReader, bitWriter, widthOf } from '../../../storage/packed/bits.ts'
import { openBlock } from '../../../storage/packed/block.ts'
import { checksum, crc32 } from '../../../storage/packed/checksum.ts'
import { joinedRows, packDay, unpackRows } from '../../../storage/packed/day-blocks.ts'
import { decodeNumbers, encodeNumbers } from '../../../storage/packed/numbers.ts'
import { visitDimensions } from '../../../storage/tables/index.ts'
import type { Arbitrary } from '../../../tools/fast-check.mjs'
import fc from '../../support/properties.ts'

const START = 1_790_000_000_000
const id = fc.oneof(fc.constant(0), fc.nat(5), fc.nat(300), fc.nat(2 ** 31 - 1))
const amount = fc.oneof(fc.constant(0), fc.integer({ min: -5_000, max: 5_000 }), fc.integer({ min: -(2 ** 50), max: 2 ** 50 }))
const span = fc.oneof(fc.constant(0), fc.nat(1_000), fc.nat(2 ** 31 - 1))
const later = fc.oneof(fc.constant(0), fc.nat(90_000), fc.integer({ min: -90_000_000, max: 90_000_000 }))
const num = fc.oneof(
  fc.constant(Number.NaN),
  fc.nat(50),
  fc.constantFrom(19.99, -3.5, 0.1 + 0.2, 1e21, -0, 2 ** 53),
  fc.double({ noNaN: true }),
)

const hit = fc.record({
  seq: fc.nat(40),
  at: later,
  page: id,
  event: fc.oneof(fc.constant(0), fc.nat(3), id),
  interactive: fc.nat(1),
  revenue: fc.oneof(fc.constant(0), fc.constant(0), amount),
  engaged_ms: span,
  scroll: fc.nat(100),
  host: fc.oneof(fc.constant(0), id),
  props: fc.uniqueArray(fc.record({ key: fc.oneof(fc.nat(4), fc.nat(2_000)), value: id, num }), {
    maxLength: 3,
    selector: ({ key }) => key,
  }),
})
const visit = fc.record({
  visitor: fc.oneof(fc.nat(30), fc.nat(2 ** 31 - 1)),
  number: fc.nat(255),
  started: later,
  duration: span,
  pageviews: fc.nat(4),
  events: fc.nat(3),
  bounce: fc.nat(1),
  revenue: amount,
  entry_after: later,
  exit_after: later,
  next_seq: fc.nat(60),
  person: fc.oneof(fc.constant(0), fc.nat(3), id),
  person_after: fc.oneof(fc.constant(0), span),
  attended: fc.option(later, { nil: null }),
  dimensions: fc.array(id, { minLength: visitDimensions.length, maxLength: visitDimensions.length }),
  hits: fc.uniqueArray(hit, { maxLength: 5, selector: ({ seq }) => seq }),
})
const place = fc.record({ visit: fc.nat(40), seq: fc.nat(60), page: id, a: id, b: id, c: id, metric: fc.nat(4) })
const story = fc.record({
  visits: fc.uniqueArray(visit, { maxLength: 12, selector: ({ visitor, number }) => visitor * 256 + number }),
  vitals: fc.uniqueArray(place, { maxLength: 10, selector: ({ visit: v, seq, metric, page }) => `${v} ${seq} ${metric} ${page}` }),
  clicks: fc.uniqueArray(place, { maxLength: 10, selector: ({ visit: v, seq, page }) => `${v} ${seq} ${page}` }),
})

const lists = <Name extends string>(names: readonly Name[], rows: readonly Readonly<Record<Name, number>>[]): Rows<Name> =>
  rowsOf(names, name => rows.map(row => row[name]))

type Story = typeof story extends Arbitrary<infer Drawn> ? Drawn : never

function rowsFrom({ visits, vitals, clicks }: Story): DayRows {
  const idOf = ({ visitor, number }: { visitor: number; number: number }) => visitor * 256 + number
  /** Every tenth belongs to no visit: to 0, or to one that is gone. */
  const visitAt = (n: number) => (n % 10 === 0 ? (n === 0 ? 0 : n) : visits[n] ? idOf(visits[n]) : 0)
  const hits = visits.flatMap(one => one.hits.map(each => ({ ...each, visit_id: idOf(one), at: START + each.at })))
  return {
    visits: lists(
      visitFields,
      visits.map(one => ({
        ...one,
        visit_id: idOf(one),
        started_at: START + one.started,
        attended_at: one.attended === null ? 0 : START + one.attended,
        ...(Object.fromEntries(visitDimensions.map((name, i) => [name, one.dimensions[i] ?? 0])) as Record<
          (typeof visitDimensions)[number],
          number
        >),
      })),
    ),
    hits: lists(hitFields, hits),
    props: lists(
      propFields,
      hits.flatMap(({ visit_id, seq, event, props }) => props.map(prop => ({ ...prop, visit_id, seq, event }))),
    ),
    vitals: lists(
      vitalFields,
      vitals.map(({ visit: v, seq, page, metric, a, b }) => ({ visit_id: visitAt(v), seq, page, metric, device: a, value: b })),
    ),
    clicks: lists(
      clickFields,
      clicks.map(({ visit: v, seq, page, a, b, c }) => ({ visit_id: visitAt(v), seq, page, selector: a, x: b, y: c })),
    ),
  }
}

const asRows = (rows: Readonly<Record<string, readonly number[]>>): string[] => {
  const names = Object.keys(rows).sort()
  return Array.from({ length: rows[names[0] ?? '']?.length ?? 0 }, (_, i) =>
    names.map(name => (Object.is(rows[name]?.[i], -0) ? '-0' : rows[name]?.[i])).join(' '),
  ).sort()
}

test('rows of a day are the same after they were packed into blocks, of any size', () => {
  fc.assert(
    fc.property(story, fc.constantFrom(1, 3, 5_000), (told, size) => {
      const rows = rowsFrom(told)
      const found = joinedRows([...packDay(rows, size)].map(unpackRows))
      for (const table of ['visits', 'hits', 'props', 'vitals', 'clicks'] as const)
        assert.deepEqual(asRows(found[table]), asRows(rows[table]), table)
    }),
  )
})

test('numbers are the same after they were encoded, whatever their width', () => {
  const list = fc.oneof(
    fc.array(fc.nat(3)),
    fc.array(fc.integer({ min: -3, max: 300 }), { maxLength: 300 }),
    fc.array(fc.nat({ max: 2 ** 31 - 1 })),
    fc.array(fc.integer({ min: -(2 ** 51), max: 2 ** 51 })),
    fc.array(fc.constantFrom(0, 1, 255, 256, 2 ** 16 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1)),
  )
  fc.assert(
    fc.property(list, numbers => {
      assert.deepEqual([...decodeNumbers(encodeNumbers(numbers))], numbers)
    }),
  )
})

test('bits are read as they were written', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.nat(7), fc.maxSafeNat())), numbers => {
      const to = bitWriter()
      for (const n of numbers) to.put(n, widthOf(n))
      const take = bitReader(to.end())
      assert.deepEqual(
        numbers.map(n => take(widthOf(n))),
        numbers,
      )
    }),
  )
  assert.deepEqual([0, 1, 2, 255, 256, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1].map(widthOf), [0, 1, 2, 8, 9, 32, 32, 33, 53])
})

test('a damaged block, and one of a later version, is refused', () => {
  const [block = assert.fail()] = packDay(rowsFrom({ visits: fc.sample(visit, { numRuns: 3, seed: 1 }), vitals: [], clicks: [] }))
  for (const at of [1, 7, block.length - 1]) {
    const damaged = Uint8Array.from(block)
    damaged[at] = (damaged[at] ?? 0) ^ 1
    assert.throws(() => openBlock(damaged), /a block is damaged/)
  }
  assert.throws(
    () => openBlock(Uint8Array.from(block, (byte, i) => (i === 0 ? 9 : byte))),
    /a block has version 9, and this version of Footfall reads 2/,
  )
  assert.equal(checksum(block), crc32(block))
})

test('rows that do not belong together are not packed', () => {
  const whole = rowsFrom({ visits: fc.sample(visit, { numRuns: 20, seed: 1 }), vitals: [], clicks: [] })
  const pack = (changed: Partial<DayRows>) => [...packDay({ ...whole, ...changed })]
  const { hits, props } = whole
  assert.ok(props.seq.length > 0)
  assert.throws(() => pack({ hits: { ...hits, visit_id: hits.visit_id.map(each => each + 1_000_000_000) } }), /do not fit/)
  assert.throws(() => pack({ props: { ...props, event: props.event.map(event => event + 1) } }), /does not fit/)
  assert.throws(() => pack({ hits: { ...hits, page: hits.page.map(() => 0.5) } }), RangeError)
})

/** Of a day with 11 visits. */
const ofFirstVersion = [
  'ARVUP53DAgXBT0gUYRjA4d/7frOz63w7jcnqZEXYtMGaUUtKRHRoXCpXlpKyjIUgZqGFDtaxpEP/S+xQiIUWSB46bIckokMRKEhRBCF0qm5FR+tQQSjU89gA',
  '3z2XEJyPxCE9EonFvRDbyxLbq5LQck0S3BuS4I5KbMcktnoa49TsxlTNZtwEx0swtgvPM6tr1t2WsGF7JD7+/tjvizBoOcH0x34lwuBWENFKpAZTiYzBrUSO',
  'ITWQ4ByOSGGOxO5gQuZoQvZYgufJ+tl5SbG1lx+V29jdfZO7TmD0UWMKQPhEGuGMJ2LzXV0iQ9mFkUCKLM/t3NTTK0XqGdO/ozyNWWwrzyCqKqqqokZEmlRk',
  'nYpcpDNsDVvbWsPcmrDzZPj70vjZZ3d7dKy749afA+WlK+H4zUz+VeNld/35sgb4AFl8gvel4y2Ft+ipiXb5Z5oBAGi+lwYXULUZz9bvr7gEBzPw/eubtV8W',
  'rud6ioe2NF7s079LM4XHvwTSuZ/vvpXapoL0h0GjAA6ggG6WvQ4AAAr4uf7h13smJbU4lM1/zD9s8to/PwnNnTm0qgqQaxp7MFHtqBVWVauzT4taWpn3scON',
  '/PBooT5t/gM=',
].join('')

test('a block of the first version, whose columns have no groups, is read', () => {
  const { visits, hits } = unpackRows(Buffer.from(ofFirstVersion, 'base64'))
  assert.deepEqual(visits.country, [111, 10, 1, 1, 11, 36, 43, 43, 1, 1, 87])
  assert.deepEqual(hits.page, [1, 57, 7, 27, 808, 7, 5, 768, 34, 1, 1249, 239, 19, 45, 9])
  assert.equal(hits.at.at(-1), 1_733_094_969_582)
})
