/** Tools found by what people ask for, in their words. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { rank } from '../../../adapters/mcp/relevance.ts'
import { byId, isTool } from '../../../adapters/mcp/tools.ts'
import { table } from '../../../operations/index.ts'
import { engines } from '../../support/engines.ts'
import { makeSite, startService, type TestService, type World } from '../../support/world.ts'
import { requests } from './requests.ts'
import { message, post } from './served.ts'
import { someOf } from '../../support/full.ts'

const operations = [...table.operations.values()].filter(isTool).sort(byId)
const effectOf = (id: string) => table.operations.get(id)?.effect

describe('the words of people', () => {
  test('find the right tool among the first three, 95 times of 100', () => {
    assert.ok(requests.length >= 120)
    const missed = requests.filter(([asked, ...tools]) => {
      for (const tool of tools) assert.ok(table.operations.has(tool), `${asked}: ${tool} is no tool`)
      return !rank(operations, asked)
        .slice(0, 3)
        .some(({ id }) => tools.includes(id))
    })
    const share = 1 - missed.length / requests.length
    assert.ok(share >= 0.95, `${(share * 100).toFixed(1)} %: ${missed.map(([asked]) => asked).join('; ')}`)
  })

  test('of a question never find something that deletes above something that reads', () => {
    for (const [asked, ...tools] of requests) {
      if (tools.some(tool => effectOf(tool) === 'delete')) continue
      const effects = rank(operations, asked).map(({ effect }) => effect)
      const first = effects.indexOf('delete')
      if (!/\b(remov|delet|take away)/.test(asked)) assert.ok(first < 0 || !effects.slice(first).includes('read'), asked)
    }
  })

  test('find the same whatever their case and signs, and nothing where there is nothing in them', () => {
    const names = (asked: string) => rank(operations, asked).map(({ id }) => id)
    assert.deepEqual(names('TOP PAGES?!'), names('top pages'))
    for (const nothing of ['', '   ', '??', 'the of a', '\u0000']) assert.deepEqual(names(nothing), [])
    assert.ok(names('constructor __proto__ toString').length < operations.length)
    assert.ok(names('x'.repeat(200)).length === 0)
  })
})

describe('tools_search', () => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engines[0]!)
    world = await makeSite(service)
  })
  after(() => service.close())

  const search = async (args: object) => {
    const { body } = await post(service, message('tools/call', { name: 'tools_search', arguments: args }), {
      token: world.token,
      query: '?mode=search',
    })
    return body.result
  }

  test('answers in 3 KB, without arguments, whatever is asked', async () => {
    for (const [asked] of requests.filter((_, i) => i % 10 === 0)) {
      const { content, structuredContent } = await search({ query: asked })
      assert.ok(content[0].text.length <= 3_072, `${asked}: ${content[0].text.length}`)
      for (const found of structuredContent.data) assert.deepEqual(Object.keys(found), ['name', 'description'])
    }
    assert.ok((await search({ query: 'visitors', limit: 10 })).content[0].text.length <= 3_072)
  })

  test('tells the arguments of the tool that is named, in 3.5 KB', async () => {
    for (const { id } of someOf([...operations], 60)) {
      const { content, structuredContent } = await search({ name: id })
      assert.equal(structuredContent.data[0].input_schema.type, 'object')
      assert.ok(content[0].text.length <= 3_584, `${id}: ${content[0].text.length}`)
    }
  })
})
