/** Values of a dimension for a text that a person has typed, also by the names that languages have for them. */
import { languages } from '../../../../runtime/texts/reader.ts'
import { loadTexts } from '../../../../runtime/texts/catalogues.ts'
import { isNamedInWords, labelSaid } from '../../../../runtime/texts/code-names.ts'
import type { Db } from '../../../../storage/store.ts'
import type { Engine } from '../../../../storage/engine/index.ts'
import { dimensionOf, labelOf, PROPERTY_KEYS } from '../../../../storage/engine/vocabulary/dimensions.ts'
import { type Applied, spanOf } from '../applied.ts'
import { labelIn } from '../breakdown-rows.ts'
import { queryOf } from '../scope-of.ts'

/** Most values that are compared by their names: there are about 5,000 regions. */
const MAX_NAMED = 10_000

interface Wanted {
  readonly dimension: string
  readonly text: string
  readonly limit: number
}

/** Values with a label of their own are compared here: the engine knows neither goals by name nor other languages. */
export async function suggest(db: Db, applied: Applied, { dimension, text, limit }: Wanted, engine: Engine) {
  const names = await namesOf(db, applied, dimension)
  const { range, site } = applied
  const { rows, notes } = await engine.query({
    ...queryOf(applied),
    asked: {
      report: 'suggest',
      dimension,
      span: spanOf(site.timezone, range, range),
      ...(names.areOwn ? { text: '', limit: MAX_NAMED } : { text, limit }),
    },
  })
  const labelled = rows.filter(({ value }) => !names.hidden.has(value)).map(row => ({ ...row, label: names.labelOf(row.value) }))
  return { rows: names.areOwn ? matching(labelled, names, text).slice(0, limit) : labelled, notes }
}

interface Names {
  /** Whether values are found by these names, instead of by the value as it is stored. */
  readonly areOwn: boolean
  readonly hidden: ReadonlySet<string>
  labelOf(value: string): string
  /** Further names of a value. */
  also(value: string): readonly string[]
}

const none: ReadonlySet<string> = new Set()

async function namesOf(db: Db, applied: Applied, name: string): Promise<Names> {
  const dimension = dimensionOf(name)
  if (name === PROPERTY_KEYS) return namesOfKeys(db, applied.site.id)
  if (!dimension) throw new Error(`no dimension ${name}`)
  if (dimension.level === 'goal')
    return { areOwn: true, hidden: none, labelOf: value => labelIn(applied, dimension, value), also: () => [] }
  const labelled = (value: string) => labelOf(dimension, value)
  if (isNamedInWords(name)) for (const locale of languages) await loadTexts({ locale })
  return {
    areOwn: isNamedInWords(name),
    hidden: none,
    labelOf: labelled,
    also: value => languages.map(locale => labelSaid({ dimension: name, value, label: labelled(value), reader: { locale } })),
  }
}

/** Properties by the names that the site gave them; without hidden ones. */
async function namesOfKeys(db: Db, siteId: string): Promise<Names> {
  const rows = await db.selectFrom('property_settings').select(['key', 'display_name', 'hidden']).where('site_id', '=', siteId).execute()
  const shown = new Map(rows.flatMap(({ key, display_name }) => (display_name === null ? [] : [[key, display_name] as const])))
  return {
    areOwn: true,
    hidden: new Set(rows.filter(({ hidden }) => hidden === 1).map(({ key }) => key)),
    labelOf: key => shown.get(key) ?? key,
    also: () => [],
  }
}

/** Those with a name that begins with the text come first; the order is otherwise kept. */
function matching<Row extends { readonly value: string; readonly label: string }>(rows: readonly Row[], names: Names, text: string): Row[] {
  const wanted = folded(text)
  const begins: Row[] = []
  const contains: Row[] = []
  for (const row of rows) {
    const all = [row.value, row.label, ...names.also(row.value)].map(folded)
    if (all.some(name => name.startsWith(wanted))) begins.push(row)
    else if (all.some(name => name.includes(wanted))) contains.push(row)
  }
  return [...begins, ...contains]
}

/** Without case and accents: `osterreich` finds Österreich. */
const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
