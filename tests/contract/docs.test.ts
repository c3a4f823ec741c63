/** Tables of the manual match the code, and its curl commands call operations; walk.test.ts covers CONTRIBUTING. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { test } from 'node:test'
import { table as service } from '../../operations/index.ts'
import { docsTables, writeDocsTable } from '../../scripts/build/docs-tables.ts'

for (const each of docsTables) {
  test(`${each.page} lists all ${each.name} of the code`, () => {
    assert.ok(writeDocsTable(each, { check: true }), `The ${each.name} in ${each.page} differ from the code: npm run spec`)
  })
}

/** Commands of the manual that call the service with curl: their method, their path without host and ending, their JSON. */
function calls() {
  const pages = ['README.md', 'tracker/README.md', ...fs.readdirSync('docs').map(name => `docs/${name}`)].filter(name =>
    name.endsWith('.md'),
  )
  return pages.flatMap(page =>
    [...fs.readFileSync(page, 'utf8').matchAll(/```sh\n([^]*?)```/g)]
      .flatMap(([, block = '']) => block.replace(/\\\n/g, ' ').split(/\n(?=curl )/))
      .filter(command => command.startsWith('curl ') && !/ -[GT] /.test(command))
      .flatMap(command => {
        const [, address] = /(?:\$FOOTFALL|https:\/\/(?:stats|footfall)\.example\.com)(\/[^\s"'?]*)/.exec(command) ?? []
        const [, body] = / -d '([^']*)'/.exec(command) ?? []
        const [, method = body === undefined ? 'GET' : 'POST'] = / -X (\w+)/.exec(command) ?? []
        return address === undefined ? [] : [{ page, command, method, path: address.replace(/\.json$/, ''), body }]
      }),
  )
}

test('commands of the manual call operations that there are, with fields that they take, as JSON', () => {
  const found = calls()
  assert.ok(found.length > 25, `${found.length}`)
  for (const { page, command, method, path, body } of found) {
    if (path === '/api/event' || path === '/mcp') continue
    const operation = [...service.operations.values()].find(
      each => each.method === method && new RegExp(`^${each.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
    )
    assert.ok(operation, `${page}: ${command}`)
    if (body === undefined) continue
    assert.match(command, /-H 'Content-Type: application\/json'/, page)
    for (const name of Object.keys(JSON.parse(body))) assert.ok(Object.hasOwn(operation.input.properties, name), `${page}: ${name}`)
  }
})
