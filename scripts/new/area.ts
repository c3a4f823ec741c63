/** Writes a new area from the templates in `scripts/new/area`, and adds it to the lists of areas, tables and steps. */
import fs from 'node:fs'
import path from 'node:path'

const wings = ['people', 'sites', 'reports', 'watch', 'exchange', 'service']
/**
 * @param root folder of the checkout
 * @param place wing and name: `sites/bookmarks`
 * @param today `2026-12-01`: date of the step that adds the table
 * @returns the files that were written or changed, from the root
 * @throws Error if the place is not possible or exists
 */
export function installArea(root: string, place: string, today: string): string[] {
  const [, wing = '', name = ''] = /^([a-z]+)\/([a-z]+s)$/.exec(place) ?? []
  if (!wings.includes(wing) || !name)
    throw new Error(`"${place}" must be a wing (${wings.join(', ')}) and one plural word in lower case, for example sites/bookmarks.`)
  if (wing === 'people')
    throw new Error('An area of people/ knows no sites, so it has no template: start from a copy of operations/people/roles.')
  const folder = `operations/${wing}/${name}`
  const table = `storage/tables/${name}.ts`
  for (const file of [folder, table])
    if (fs.existsSync(path.join(root, file))) throw new Error(`${file} exists already. Choose another name.`)

  const templates = path.join(root, 'scripts/new/area')
  const written = fs.readdirSync(templates).map(template => {
    const base = template.replace(/\.txt$/, '')
    const file = base === 'table.ts' ? table : base === 'test.ts' ? `tests/${wing}/${name}.test.ts` : `${folder}/${base}`
    const text = fs.readFileSync(path.join(templates, template), 'utf8')
    fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    fs.writeFileSync(path.join(root, file), renamed(text, { wing, name }))
    return file
  })
  return [...written, ...entries({ wing, name, today }).map(entry => insert(root, entry))]
}

/** The template's greetings under their new name. */
function renamed(text: string, { wing, name }: { wing: string; name: string }): string {
  const one = name.slice(0, -1)
  return text
    .replace(/\b(a) greeting\b/gi, (_, article: string) => `${article}${/^[aeiou]/.test(one) ? 'n' : ''} greeting`)
    .replace(/greetings?/gi, word => {
      const plain = word.endsWith('s') ? name : one
      if (word === word.toUpperCase()) return plain.toUpperCase()
      return word[0] === 'G' ? `${plain[0]?.toUpperCase()}${plain.slice(1)}` : plain
    })
    .replaceAll(
      'grt_',
      `${one[0]}${one
        .slice(1)
        .replace(/[aeiou]/g, '')
        .slice(0, 2)}_`,
    )
    .replaceAll("'../sites/records.ts'", wing === 'sites' ? "'../sites/records.ts'" : "'../../sites/sites/records.ts'")
}

/** A line of a list. */
interface Entry {
  readonly file: string
  readonly line: (text: string) => string
  /** The line is inserted before the first match. */
  readonly before: RegExp
}

function entries({ wing, name, today }: { wing: string; name: string; today: string }): readonly Entry[] {
  const nextWing = wings[wings.indexOf(wing) + 1]
  return [
    {
      file: 'operations/index.ts',
      line: () => `import ${name} from './${wing}/${name}/area.ts'\n`,
      before: /\nexport const table/,
    },
    { file: 'operations/index.ts', line: () => `  ${name},\n`, before: nextWing ? new RegExp(`  // ${nextWing}\n`) : /^\]\)\n/m },
    {
      file: 'storage/tables/index.ts',
      line: () => `import * as ${name} from './${name}.ts'\n`,
      before: /\nexport /,
    },
    { file: 'storage/tables/index.ts', line: () => `  ...${name},\n`, before: /^\}\)\n/m },
    {
      file: 'operations/service/installation/task-names.ts',
      line: () => `  ${name}_forget: 'Removal of old ${name}',\n`,
      before: /^\}\)\n/m,
    },
    {
      file: 'storage/migrations/steps.ts',
      line: text => `  '${nextStep(text, today)}-${name}': { adds: ['${name}'] },\n`,
      before: /^\}\n/m,
    },
  ]
}

/** Date and number of a new step, after all others: `2026-12-01-2`. */
function nextStep(text: string, today: string): string {
  const [date = '', number = 0] =
    [...text.matchAll(/^ {2}'(\d{4}-\d\d-\d\d)-(\d+)-/gm)].map(([, day, n]) => [day, Number(n)] as const).at(-1) ?? []
  return today > date ? `${today}-1` : `${date}-${number + 1}`
}

/** @returns the changed file */
function insert(root: string, { file, line, before }: Entry): string {
  const text = fs.readFileSync(path.join(root, file), 'utf8')
  const at = text.search(before)
  if (at === -1) throw new Error(`${file} has no ${before} any more, before which scripts/new/area.ts inserts a line.`)
  fs.writeFileSync(path.join(root, file), text.slice(0, at) + line(text) + text.slice(at))
  return file
}
