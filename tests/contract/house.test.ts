/**
 * Checks the architecture by reading imports: which floors and wings a file may import from, what an area exposes to
 * others, that there are no cycles, and that only the area that declares a table writes it. CONTRIBUTING.md states the
 * rules.
 */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { before, test } from 'node:test'
import { table } from '../../operations/index.ts'
import type { Area } from '../../runtime/table/area.ts'

/** From the top down: a floor imports from itself and from the listed floors below it. */
const floors: Readonly<Record<string, readonly string[]>> = {
  scripts: ['adapters', 'operations', 'runtime', 'storage', 'tests', 'tracker'],
  adapters: ['runtime'],
  operations: ['runtime', 'storage', 'tracker'],
  runtime: ['storage'],
  storage: [],
  tracker: [],
}
/** The rooms of a floor, folders or single files, from the top down: a room imports from itself and from the rooms below it. */
const rooms: Readonly<Record<string, readonly string[]>> = {
  runtime: [
    'create-app.ts',
    'app.ts',
    'ui/',
    'call/',
    'telemetry/',
    'tasks/',
    'outbound/',
    'table/',
    'events/',
    'texts/',
    'settings/',
    'observability/',
    'values/',
  ],
  storage: [
    'imported/',
    'engine/',
    'hits/',
    'move/',
    'transfer/',
    'moved-days/',
    'migrations/',
    'installation/',
    'deleted/',
    'store.ts',
    'packed/',
    'cluster/',
    'sql/',
    'dialects/',
    'snapshots/',
    'tables/',
    'schema/',
    'calendar/',
    'system/',
    'values/',
  ],
}
/** From the top down: a wing imports from itself and from the wings below it. */
const wings = ['service', 'exchange', 'watch', 'reports', 'sites', 'people']
/** The files of an area that others may import. */
const shown = ['area.ts', 'records.ts', 'index.ts', 'components.tsx']
/** Tables of areas that the runtime writes: the audit log, the last use of tokens, and deleted records. */
const writtenByRuntime = ['audit_entries', 'api_tokens', 'deleted_records']

interface Arrow {
  readonly from: string
  readonly to: string
}

const sources = Object.keys(floors).flatMap(floor =>
  fs
    .readdirSync(floor, { recursive: true, encoding: 'utf8' })
    .filter(file => /\.tsx?$/.test(file))
    .map(file => `${floor}/${file}`),
)
const textOf = new Map(sources.map(file => [file, fs.readFileSync(file, 'utf8')]))
const arrows: readonly Arrow[] = [...textOf].flatMap(([from, text]) =>
  [...text.replace(/\/\*\*[^]*?\*\//g, '').matchAll(/(?:from |import\()'(\.[^']+)'|^import '(\.[^']+)'/gm)]
    .map(([, named, bare]) => ({ from, to: path.join(path.dirname(from), named ?? bare ?? '') }))
    .filter(({ to }) => /\.tsx?$/.test(to)),
)

const floorOf = (file: string) => file.split('/')[0] ?? ''
/** `watch/alerts`; undefined for the list of areas. */
const areaOf = (file: string) => /^operations\/([^/]+\/[^/]+)\//.exec(file)?.[1]
const wingOf = (area: string) => area.split('/')[0] ?? ''

/** `engine/`, or the name of a file that lies in no room. */
const roomOf = (file: string) => /^[^/]+\/([^/]+\/?)/.exec(file)?.[1] ?? ''

/** Arrows between areas, each with the files that cause it. */
const between = arrows.flatMap(({ from, to }) => {
  const [own, other] = [areaOf(from), areaOf(to)]
  return own !== undefined && other !== undefined && own !== other ? [{ from, to, own, other }] : []
})

/** The folder of each area, with the declarations of its area.ts. */
const folders = new Map<string, Area>()
before(async () => {
  for (const area of new Set(sources.map(areaOf).filter(area => area !== undefined))) {
    const file = `operations/${area}/area.ts`
    if (!fs.existsSync(file)) throw new Error(`operations/${area}/ has no area.ts: an area says there what it brings`)
    folders.set(area, ((await import(`../../operations/${area}/area.ts`)) as { default: Area }).default)
  }
})

test('a floor imports only from the floors below it', () => {
  none(
    arrows
      .filter(({ from, to }) => floorOf(from) !== floorOf(to) && !floors[floorOf(from)]?.includes(floorOf(to)))
      .map(({ from, to }) => `${from} imports ${to}: ${floorOf(from)}/ may import ${floors[floorOf(from)]?.join(', ') || 'nothing'}`),
  )
})

test('a room of a floor imports only from the rooms below it', () => {
  none(
    Object.entries(rooms).flatMap(([floor, order]) => [
      ...sources
        .filter(file => floorOf(file) === floor && !order.includes(roomOf(file)))
        .map(file => `${file}: ${roomOf(file)} is not in the list of rooms of ${floor}/`),
      ...arrows
        .filter(
          ({ from, to }) => floorOf(from) === floor && floorOf(to) === floor && order.indexOf(roomOf(from)) > order.indexOf(roomOf(to)),
        )
        .map(({ from, to }) => `${from} imports ${to}, which goes up: ${roomOf(to)} is above ${roomOf(from)} in ${order.join(' > ')}`),
    ]),
  )
})

test('a wing imports only from the wings below it', () => {
  none([
    ...between
      .filter(({ own, other }) => wings.indexOf(wingOf(own)) > wings.indexOf(wingOf(other)))
      .map(({ from, to, own, other }) => `${from} imports ${to}: ${wingOf(other)}/ is above ${wingOf(own)}/`),
    ...[...folders.keys()]
      .filter(area => !wings.includes(wingOf(area)))
      .map(area => `operations/${area}/: ${wingOf(area)} is not one of the wings ${wings.join(', ')}`),
  ])
})

test('an area sees of another what that shows, and nothing else', () => {
  none(
    between
      .filter(({ to, other }) => !shown.some(file => to === `operations/${other}/${file}`))
      .map(({ from, to, other }) => `${from} imports ${to}: of ${other} only ${shown.join(', ')} may be imported`),
  )
})

test('no areas import each other in a circle', () => {
  const next = new Map<string, Set<string>>()
  for (const { own, other } of between) next.set(own, (next.get(own) ?? new Set()).add(other))
  const circle = (area: string, way: readonly string[]): string[] | undefined => {
    if (way.includes(area)) return [...way.slice(way.indexOf(area)), area]
    for (const other of next.get(area) ?? []) {
      const found = circle(other, [...way, area])
      if (found) return found
    }
    return undefined
  }
  none(
    [...next.keys()].flatMap(area => {
      const found = circle(area, [])
      return found && found[0] === area ? [`${found.join(' → ')}: these areas import each other in a circle`] : []
    }),
  )
})

test('no file imports itself by way of others', () => {
  const next = new Map<string, string[]>()
  for (const { from, to } of arrows) next.set(from, [...(next.get(from) ?? []), to])
  const done = new Set<string>()
  const circles: string[] = []
  function visit(file: string, way: readonly string[]): void {
    const begun = way.indexOf(file)
    if (begun !== -1) circles.push([...way.slice(begun), file].join(' → '))
    if (begun !== -1 || done.has(file)) return
    for (const imported of next.get(file) ?? []) visit(imported, [...way, file])
    done.add(file)
  }
  for (const file of sources) visit(file, [])
  none(circles)
})

test('every folder of an area is in the list', () => {
  none(
    [...folders]
      .filter(([, declared]) => !table.areas.includes(declared))
      .map(([area]) => `operations/${area}/area.ts is not in operations/index.ts: it has no operation, task or table until it is`),
  )
})

/** How sources declare each kind of export. */
const declarations = {
  operations: /\bconst (\w+) = (?:operation|list|report)\(/g,
  events: /\bconst (\w+) = event\(/g,
  tasks: /\bconst (\w+) = task\(/g,
  endpoints: /\bconst (\w+) = endpoint\(/g,
  pages: /\bconst (\w+) = page\(/g,
  subscribers: /\bconst (\w+) = (?:onEvent|onEveryEvent|onHook)\(/g,
  settings: /\bconst (\w+) = setting\(/g,
  meters: /\bconst (\w+) = (?:counter|histogram)\(/g,
  views: /\bconst (\w+) = (?:view|listView|form|fill)\(/g,
} as const satisfies { [K in keyof Area]?: RegExp }

test('area.ts brings everything that the folder of its area declares', async () => {
  const faults: string[] = []
  for (const [area, declared] of folders) {
    const prefixes = Object.values(declared.ids ?? {}).map(({ prefix }) => prefix)
    for (const [file, text] of textOf) {
      if (!file.startsWith(`operations/${area}/`)) continue
      for (const [kind, pattern] of Object.entries(declarations)) {
        const given = declared[kind as keyof typeof declarations] ?? []
        const brought = [typeof given === 'function' ? await given() : given].flat()
        for (const [, name = ''] of text.matchAll(pattern)) {
          if (!brought.some(each => Object.hasOwn(each, name)))
            faults.push(`${file} declares ${name}, and operations/${area}/area.ts does not bring it among its ${kind}`)
        }
      }
      for (const [, prefix = ''] of text.matchAll(/\bidKind\('(\w+)'\)/g)) {
        if (!prefixes.includes(prefix))
          faults.push(`${file} makes ids that begin with ${prefix}, and operations/${area}/area.ts does not bring them among its ids`)
      }
    }
    const example = `operations/${area}/example.ts`
    if (textOf.has(example) && !declared.example) faults.push(`${example} is there, and operations/${area}/area.ts names no example`)
  }
  none(faults)
})

test('only the area that declares a table writes it', () => {
  const owners = new Map([...folders].flatMap(([area, { tables = [] }]) => tables.map(name => [name as string, area] as const)))
  const faults: string[] = []
  for (const [file, text] of textOf) {
    const [area, floor] = [areaOf(file), floorOf(file)]
    if (floor === 'scripts' || floor === 'storage') continue // benchmarks fill tables; storage has the tables of hits and its migrations
    for (const name of writtenIn(text)) {
      const owner = owners.get(name)
      if (floor === 'adapters') faults.push(`${file} writes ${name}: adapters write nothing`)
      else if (floor === 'runtime' && owner !== undefined && !writtenByRuntime.includes(name))
        faults.push(`${file} writes ${name}, a table of ${owner}`)
      else if (area !== undefined && owner === undefined)
        faults.push(`${file} writes ${name}: operations/${area}/area.ts does not declare it in tables`)
      else if (area !== undefined && owner !== area)
        faults.push(`${file} writes ${name}, a table of ${owner}: be a subscriber of what happens there, or ask it to`)
    }
  }
  none(faults)
})

test('area.ts names the columns that its area seals, so that a start without the key reports them', () => {
  none(
    [...textOf].flatMap(([file, text]) => {
      const area = areaOf(file)
      const seals = area !== undefined && !file.endsWith('/example.ts') && /\bbox\.seal\(|\(secretBox\)\.seal\(/.test(text)
      return seals && !folders.get(area)?.sealed ? [`${file} seals, and operations/${area}/area.ts names no column in \`sealed\``] : []
    }),
  )
})

test('a write asks for a permission to write', () => {
  /** The one only records that somebody has read the alert; the others are about a conversation that nobody else sees. */
  const readersMay = ['alerts_acknowledge', 'assistant_ask', 'assistant_continue', 'assistant_conversations_delete']
  none(
    [...table.operations.values()]
      .filter(({ id, effect, access }) => effect !== 'read' && access === 'analytics.read' && !readersMay.includes(id))
      .map(
        ({ id, effect, access }) =>
          `${id}: its effect is "${effect}", and ${access} is for reading: name the permission that such a change needs`,
      ),
  )
})

test('no test and no program of a test awaits outside of functions: they are built into one CommonJS file', () => {
  const files = fs.readdirSync('tests', { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'))
  none(
    files
      .filter(
        file => !file.includes('conformance') && /^(?:[\w}].* = |for )?await /m.test(fs.readFileSync(path.join('tests', file), 'utf8')),
      )
      .map(file => `tests/${file} awaits at its top: await in \`before\`, or in a function that the program calls`),
  )
})

/** Names of tables that a source writes, through Kysely or SQL. */
function writtenIn(text: string): string[] {
  const patterns = [
    /\.(?:insertInto|updateTable|deleteFrom|replaceInto)\(\s*'(\w+)/g,
    /\b(?:insert into|delete from) ([a-z_]+)/g,
    /`\s*update ([a-z_]+) set/g,
    /\bupdate ([a-z_]+) set\b/g,
  ]
  return [...new Set(patterns.flatMap(pattern => [...text.matchAll(pattern)].map(([, name = '']) => name)))]
}

/** Fails with the faults as its message, if there are any. */
function none(faults: readonly string[]): void {
  assert.ok(faults.length === 0, `\n  ${[...new Set(faults)].join('\n  ')}`)
}
