/** Units of numbers, and states in which operations are offered: the declarations refer to existing fields. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type TSchema, Type } from '@sinclair/typebox'
import { plainSchema } from '../../adapters/json-schema.ts'
import { table } from '../../operations/index.ts'
import { Nullable, units } from '../../runtime/table/schema.ts'

/** Endings of names that imply a unit or a quantity. */
const named: ReadonlyArray<readonly [RegExp, readonly string[]]> = [
  [/(^|_)seconds$/, ['seconds']],
  [/(^|_)minutes$/, ['minutes']],
  [/(^|_)hours$/, ['hours']],
  [/(^|_)days$/, ['days']],
  [/(^|_)ms$/, ['ms']],
  [/(^|_)bytes$/, ['bytes']],
  [/(^|_)(percent|rate|share)$/, ['percent']],
  [/(^|_)(duration|time_on_page)$/, ['ms', 'seconds', 'percent']], // a change is in percent
  [/^revenue$/, ['minor_units', 'percent']],
  [/^(visitors|visits|pageviews|events)$/, ['count', 'percent']],
]

describe('every number says its unit where its name says one', () => {
  for (const { id, input, output, meta } of table.operations.values()) {
    test(id, () => [input, output, meta].forEach(schema => assert.deepEqual(unitFaults(schema), [])))
  }
  for (const { type, data } of table.events) test(`event ${type}`, () => assert.deepEqual(unitFaults(data), []))

  test('a field without its unit is found at any depth', () => {
    const wrong = Type.Object({
      rows: Type.Array(Type.Object({ wait_seconds: Nullable(Type.Integer()), bounce_rate: Type.Number({ unit: 'ms' }) })),
      name: Type.String({ unit: 'count' }),
      score: Type.String({ better: 'less' }),
    })
    assert.deepEqual(unitFaults(wrong), [
      "/rows/wait_seconds: its name asks for unit: 'seconds'",
      "/rows/bounce_rate: its name asks for unit: 'percent'",
      '/name: has a unit and is no number',
      '/score: is better less and is no number',
    ])
  })
})

test('a unit reaches the descriptions of operations as x-unit, and what is better as x-better', () => {
  const row = Type.Object({ wait_ms: Nullable(Type.Integer({ unit: 'ms', better: 'less' }), { description: 'How long.' }) })
  const { type: _, required: __, ...described } = plainSchema(row, 'answer')
  assert.deepEqual(described, {
    properties: {
      wait_ms: {
        anyOf: [{ type: 'integer', 'x-unit': 'ms', 'x-better': 'less' }, { type: 'null' }],
        description: 'How long.',
        'x-unit': 'ms',
        'x-better': 'less',
      },
    },
  })
})

describe('what an operation is offered in', () => {
  const rows = [...table.operations.values()]
  for (const { id, path, offered, offeredBy, output } of rows) {
    if (offeredBy)
      test(`${id} names a list with the parameters of its path, and fields of its records`, () => {
        const list = table.operations.get(offeredBy.list)
        assert.ok(list?.output.type === 'array', `${offeredBy.list} is no list`)
        for (const name of Object.keys(list.pathInput)) assert.ok(path.includes(`{${name}}`), `its path has no ${name}`)
        for (const name of Object.keys(offeredBy.first)) assert.ok(list.output.items.properties[name], `there is no ${name} in its records`)
      })
    if (offered)
      test(`${id} names fields of its record and values they have`, () => {
        // The record that it answers, or the one that is read above it.
        const above = rows.find(row => row.method === 'GET' && row.path === path.slice(0, path.lastIndexOf('/')))
        for (const [name, values] of Object.entries(offered)) {
          const field: TSchema | undefined = output.properties?.[name] ?? above?.output.properties?.[name]
          assert.ok(field, `there is no ${name} in its record`)
          for (const value of values) assert.ok(valuesOf(field).includes(value), `${name} is never ${JSON.stringify(value)}`)
        }
      })
  }
})

function unitFaults(schema: TSchema, at = ''): string[] {
  const faults: string[] = []
  for (const [name, field] of Object.entries<TSchema>(schema.properties ?? {})) {
    const pointer = `${at}/${name}`
    const { unit, better } = field
    if (isNumber(field)) {
      const isChangeOfRate = at.endsWith('/change') && /(^|_)(percent|rate|share)$/.test(name)
      const wanted = isChangeOfRate ? ['percentage_points'] : named.find(([form]) => form.test(name))?.[1]
      if (wanted && !wanted.some(each => each === unit))
        faults.push(`${pointer}: its name asks for ${wanted.map(each => `unit: '${each}'`).join(' or ')}`)
      if (unit !== undefined && !units.includes(unit)) faults.push(`${pointer}: "${unit}" is no unit`)
    } else {
      if (unit !== undefined) faults.push(`${pointer}: has a unit and is no number`)
      if (better !== undefined) faults.push(`${pointer}: is better ${better} and is no number`)
    }
    faults.push(...unitFaults(field, pointer))
  }
  const inner = [schema.items, ...(schema.anyOf ?? []), ...Object.values(schema.patternProperties ?? {})]
  return [...faults, ...inner.flatMap(each => (each ? unitFaults(each, at) : []))]
}

/** Whether it is a number, or a union of numbers and null. */
function isNumber({ type, anyOf = [] }: TSchema): boolean {
  const some: TSchema[] = anyOf.filter(({ type }: TSchema) => type !== 'null')
  return type === 'integer' || type === 'number' || (some.length > 0 && some.every(isNumber))
}

function valuesOf({ type, enum: some, anyOf, const: one }: TSchema): unknown[] {
  if (anyOf) return anyOf.flatMap(valuesOf)
  if (type === 'boolean') return [true, false]
  return type === 'null' ? [null] : (some ?? [one])
}
