/** The manual matches the code in both directions. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { test } from 'node:test'
import { table } from '../../operations/index.ts'
import { detailCodes, errors } from '../../runtime/table/errors.ts'
import { meters } from '../../runtime/observability/metrics.ts'
import { permissionNames, roleNames, roles } from '../../runtime/table/permissions.ts'
import { faultsOf, withDefaults } from '../../runtime/table/validate.ts'

test('docs/operations.md names every metric', () => {
  const named = namesIn(read('docs/operations.md'))
  const missing = Object.keys(meters).filter(name => !named.has(name))
  assert.ok(missing.length === 0, `docs/operations.md does not describe the metrics ${missing.join(', ')}`)
})

test('docs/decisions.md has the roles and error codes of the code', () => {
  const page = read('docs/decisions.md')
  const named = namesIn(page)
  const missing = [...Object.keys(errors), ...detailCodes].filter(code => !named.has(code) && !unsaid.has(code))
  assert.ok(missing.length === 0, `docs/decisions.md does not list the error codes ${missing.join(', ')}`)
  const columns = roleNames.join(' | ')
  assert.ok(page.includes(`| | ${columns} |`), `the columns are ${columns}`)
  for (const permission of permissionNames) {
    const row = page.split('\n').find(line => line.startsWith('| `') && line.includes(`\`${permission}\``)) ?? ''
    const [, , ...cells] = row.split('|').map(cell => cell.trim())
    const held = roleNames.filter((_, i) => cells[i] === '✓')
    assert.deepEqual(
      held,
      roleNames.filter(role => roles[role].permissions.some(one => one === permission)),
      permission,
    )
  }
})
/** Error codes that the page omits, giving only their statuses. */
const unsaid: ReadonlySet<string> = new Set(['method_not_allowed', 'payload_too_large', 'unsupported_media_type'])

test('every request that the manual shows is one that an operation takes', () => {
  const wrong: string[] = []
  let shown = 0
  for (const file of [
    'README.md',
    ...fs
      .readdirSync('docs')
      .filter(name => name.endsWith('.md'))
      .map(name => `docs/${name}`),
  ]) {
    const commands = read(file)
      .replaceAll('\\\n', ' ')
      .split('\n')
      .filter(line => /^\s*curl /.test(line))
    for (const command of commands) {
      const [, path] = /(?:\$FOOTFALL|:8080)(\/[^\s'?]+)/.exec(command) ?? []
      if (path === undefined) continue
      shown++
      const [, method = 'GET'] = /-X (\w+)/.exec(command) ?? []
      const operation = [...table.operations.values()].find(row => row.method === method && routeOf(row.path).test(path))
      const [, body = '{}'] = /-d '(\{.*?\})'/.exec(command) ?? []
      if (!operation) wrong.push(`${file}: ${method} ${path}`)
      else {
        const { input, unknown } = withDefaults(operation.input, JSON.parse(body))
        wrong.push(...unknown, ...faultsOf(operation.input, input).map(({ message }) => `${file}: ${message}`))
      }
    }
  }
  assert.deepEqual(wrong, [])
  assert.ok(shown >= 6, `${shown} requests were found`)
})

test('the picture of the README shows a row as it is declared', () => {
  const picture = read('docs/picture.svg')
  const lines = [...picture.matchAll(/<text class="row"[^>]*>(.*?)<\/text>/g)].map(([, line = '']) => line.replace(/<[^>]*>/g, '').trim())
  assert.ok(lines.length > 4)
  const [id = ''] = /\w+(?= = operation)/.exec(lines[0] ?? '') ?? []
  const sources = fs
    .readdirSync('operations', { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts'))
    .map(file => read(`operations/${file}`))
  const source = sources.find(text => text.includes(`export const ${id} = `)) ?? ''
  const row = source.slice(source.indexOf(`export const ${id} = `)).split('\n})')[0] ?? ''
  assert.deepEqual(
    lines.filter(line => !row.split('\n').some(one => one.trim() === line)),
    [],
  )
  assert.ok(read('README.md').includes('docs/picture.svg'))
})

const read = (file: string): string => fs.readFileSync(file, 'utf8')
const routeOf = (path: string): RegExp => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}(\\.json)?$`)
/** Names in code spans of a page. */
const namesIn = (page: string): Set<string> => new Set([...page.matchAll(/`([^`\n{]+)[^`\n]*`/g)].map(([, name = '']) => name))
