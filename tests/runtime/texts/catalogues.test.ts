/** Catalogues have what people are told: all that pages of areas and mails say, and what the table declares for forms. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TSchema } from '@sinclair/typebox'
import { isName, spelled, words } from '../../../runtime/texts/names.ts'
import { parseFilters } from '../../../operations/sites/segments/filters.ts'
import { labelOf } from '../../../runtime/ui/operation-labels.ts'
import { en } from '../../../runtime/ui/languages/en.ts'
import { hasForm, spotsOf, titleOf } from '../../../adapters/pages/page-tree.ts'
import { fieldWords, itemWords, valueWords } from '../../../runtime/ui/words.ts'
import { table } from '../../../operations/index.ts'
import { labelOf as labelOfValue, dimensions } from '../../../storage/engine/vocabulary/dimensions.ts'
import { CHANNELS } from '../../../operations/sites/collection/enrich/channels.ts'
import { dropReasons } from '../../../operations/sites/collection/collector.ts'
import { platforms, snippetFor } from '../../../operations/sites/tracking/platforms.ts'
import { outboundFaults } from '../../../runtime/outbound/fault.ts'
import { errors } from '../../../runtime/table/errors.ts'
import { de } from '../../../runtime/texts/de.ts'
import { en as toPeople } from '../../../runtime/texts/en.ts'
import { es } from '../../../runtime/texts/es.ts'
import { fr } from '../../../runtime/texts/fr.ts'
import { readerBy, sayIn, told } from '../../../runtime/texts/index.ts'
import type { Texts } from '../../../runtime/texts/texts.ts'
import { permissions, roleNames, roles } from '../../../runtime/table/permissions.ts'
import { messagesIn } from '../../support/messages.ts'
import { barePhrases, saidTexts, sourcesIn } from '../../support/said-texts.ts'

const catalogues: Readonly<Record<string, Texts>> = { de, es, fr }
const sources = [...sourcesIn('operations'), ...sourcesIn('runtime')]
const blanks = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort()
const labelled = (name: string, value: string): string => {
  const dimension = dimensions.get(name)
  return dimension ? labelOfValue(dimension, value) : name
}
const missingIn = (texts: Texts, wanted: Iterable<string>) => [...new Set(wanted)].filter(text => !Object.hasOwn(texts, text))

test('everything that pages of areas and mails say is in every catalogue', () => {
  const said = [
    ...saidTexts(sources).keys(),
    ...Object.values(errors).map(({ message }) => message),
    ...Object.values(permissions),
    ...roleNames,
    ...Object.values(roles).map(({ description }) => description),
  ]
  assert.ok(said.length > 350, 'the sources were not read')
  for (const [locale, texts] of Object.entries(catalogues)) assert.deepEqual(missingIn(texts, said), [], locale)
})

test('pages of areas have no words between their elements that no catalogue is asked for', () => {
  // Mails of reports have words of their own, by keys; text of others is not translated.
  const pages = sources.filter(({ fileName }) => !/email-reports\/mail|markdown/.test(fileName))
  assert.deepEqual(barePhrases(pages), [])
})

test('translations have the same blanks', () => {
  for (const [locale, texts] of Object.entries(catalogues))
    for (const [english, text] of Object.entries(texts)) assert.deepEqual(blanks(text), blanks(english), `${locale}: ${english}`)
})

test('titles, buttons, fields, metrics, hints and help texts are said in every language', () => {
  const operations = [...table.operations.values()]
  const spots = spotsOf(table)
  const forms = operations.filter(each => hasForm(each) && spots.spotOf.has(each.id))
  const pages = [...spots.byId.values()].map(({ operation }) => operation)
  const own = new Set<string>([en.change, en.delete])
  const titles = [...pages.map(titleOf), ...forms.map(each => labelOf(each, { locale: 'en' }))].filter(text => !own.has(text))
  const texts: readonly (readonly [what: string, all: readonly string[]])[] = [
    ['titles and buttons', titles],
    ['what was done', forms.flatMap(({ done = '' }) => done || [])],
    ['headings', [...forms, ...pages].map(({ summary }) => summary)],
    ['fields', forms.flatMap(({ input }) => Object.keys(input.properties)).map(name => fieldWords(name))],
    [
      'items of fields',
      forms
        .flatMap(({ input }) => Object.entries<TSchema>(input.properties))
        .flatMap(([name, { items }]) => (items?.type === 'object' ? itemWords(name) : [])),
    ],
    [
      'hints of fields',
      [...forms, ...pages]
        .flatMap(({ input }) => Object.values<TSchema>(input.properties))
        .flatMap(({ description = '' }) => description || []),
    ],
    ['help texts', [...forms, ...pages].flatMap(({ description = '' }) => description || [])],
  ]
  const overview = table.operations.get('stats_overview')?.output.properties.metrics.properties as object
  for (const [locale, catalogue] of Object.entries(catalogues)) {
    assert.deepEqual(
      missingIn(
        catalogue,
        Object.keys(overview).map(name => fieldWords(name)),
      ),
      [],
      locale,
    )
    for (const [what, all] of texts) assert.deepEqual(missingIn(catalogue, all), [], `${locale}, ${what}`)
  }
})

test('English has other words for what is declared only, and names no tokens, nulls or callers there', () => {
  const declared = new Set<string>()
  const look = (schema: TSchema): void => {
    if (schema.description) declared.add(schema.description)
    for (const each of [
      ...Object.values<TSchema>(schema.properties ?? {}),
      ...(schema.anyOf ?? []),
      ...(schema.items ? [schema.items] : []),
    ])
      look(each)
  }
  for (const { description, input } of table.operations.values()) {
    if (description) declared.add(description)
    look(input)
  }
  assert.deepEqual(
    Object.keys(toPeople).filter(text => !declared.has(text)),
    [],
  )
  assert.deepEqual(
    Object.values(toPeople).filter(text => /\bnull\b|\bcaller\b|left out|[a-z]_id|tokens\.manage/i.test(text)),
    [],
  )
})

test('what English tells people otherwise than programs, every language does: no names for programs that English leaves out', () => {
  const forPrograms = (text: string) =>
    text.match(/`[^`]+`|\b[a-z]+(?:_[a-z]+)+\b|\b[a-z]+\.[a-z]+\b|\b(?:PUT|IANA|ISO 4217|OAuth|HTTP \d+)\b/g) ?? []
  for (const [locale, texts] of Object.entries(catalogues))
    for (const [declared, english] of Object.entries(toPeople)) {
      const known = new Set(forPrograms(english))
      assert.deepEqual(
        forPrograms(texts[declared] ?? '').filter(each => !known.has(each)),
        [],
        `${locale}: ${texts[declared]}`,
      )
    }
})

test('every value and every field that a page can show is said in every language, all but names', () => {
  const [values, fields] = [new Set<string>(), new Set<string>()]
  const look = (schema: TSchema): void => {
    for (const value of [...(schema.enum ?? []), schema.const]) if (typeof value === 'string' && value !== '') values.add(value)
    for (const each of [...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])]) look(each)
    for (const [name, property] of Object.entries<TSchema>(schema.properties ?? {})) {
      fields.add(name)
      look(property)
    }
  }
  const spots = spotsOf(table)
  for (const operation of table.operations.values()) {
    if (!spots.byId.has(operation.id) && !spots.spotOf.has(operation.id)) continue
    look(operation.input)
    look(operation.output)
  }
  assert.ok(values.size > 300 && fields.size > 450, 'the table was not read')
  const shown = [...values].filter(value => !isName(value)).map(value => valueWords(value, { locale: 'en' }))
  for (const [locale, texts] of Object.entries(catalogues)) {
    assert.deepEqual(missingIn(texts, shown), [], `${locale}, values`)
    const missing = [...fields].filter(name => missingIn(texts, [fieldWords(name), words(name)]).length === 2)
    assert.deepEqual(missing, [], `${locale}, fields`)
  }
})

test('what the service itself names is said in every language: channels, devices, days, faults, notes of snippets', () => {
  const snippets = platforms.map(name => snippetFor(name, 'https://a.example', 'js/x', 'b.example', 'key'))
  const own = [
    ...CHANNELS,
    ...['desktop', 'mobile', 'tablet'].map(value => labelled('device', value)),
    ...[1, 2, 3, 4, 5, 6, 7].map(value => labelled('weekday', String(value))),
    ...['source', 'page'].map(name => labelled(name, '')),
    ...['(other)', '(entrance)', '(exit)'],
    ...Object.entries(outboundFaults).flatMap(([code, text]) => [spelled(code), `${code}: ${text}`]),
    ...Object.values(dropReasons),
    ...snippets.flatMap(({ notes }) => notes),
    ...snippets.flatMap(({ files }) => files.map(({ name }) => name)).filter(name => / /.test(name)),
  ]
  for (const [locale, texts] of Object.entries(catalogues)) assert.deepEqual(missingIn(texts, own), [], locale)
})

test('the audit log says in every language what was done', () => {
  const done = [...table.operations.values()].filter(({ effect }) => effect !== 'read').map(({ summary }) => summary)
  for (const [locale, texts] of Object.entries(catalogues)) assert.deepEqual(missingIn(texts, done), [], locale)
})

test('French signs are not parted from their words at the end of a line', async () => {
  const french = await sayIn('fr')
  const wrapping = / [;:!?»]|« /
  const shown = Object.keys(fr).map(text => french(text))
  assert.ok(Object.values(fr).some(text => wrapping.test(text)))
  assert.deepEqual(
    shown.filter(text => wrapping.test(text)),
    [],
  )
})

test('what an alert says is told part by part; what somebody named stays', async () => {
  const [german, french] = [await sayIn('de'), await sayIn('fr')]
  const message = '1,250 visitors in 60 minutes; alerts above 1,000'
  assert.equal(told(german, message), '1.250 Besucher, 60 Minuten; Alarm über 1.000')
  assert.equal(
    told(french, `It recovered. It was: ${message}.`).replace(/\s/g, ' '),
    'C’est rétabli. C’était : 1 250 visiteurs en 60 minutes ; alerte au-dessus de 1 000.',
  )
  assert.equal(told(german, '1 check down: Goals; 2 checks watched'), '1 Prüfung ausgefallen: Goals; 2 Prüfungen werden beobachtet')
  assert.equal(told(german, '4 completions of "Live" in 1 day; alerts at 3 or more'), '4 Abschlüsse von „Live“, 1 Tag; Alarm ab 3')
  assert.equal(
    told(german, 'The certificate of Shop expires in 2.5 days; alerts at 14 days or less'),
    'Das Zertifikat von Shop läuft ab, noch 2,5 Tage; Alarm bis 14 Tage',
  )
  assert.equal(told(german, 'Triggered: Overview'), 'Ausgelöst: Overview')
})

/** Read by programs alone: SCIM, hits, Stripe, tools of agents, examples of records. */
const toPrograms =
  /\/(scim|examples?)\b|billing\/endpoints|collection\/collector|help\/operations|runtime\/call\/(idempotency-keys|read-input|suggest)\./
/** Of parts that are said elsewhere, each in full. */
const composed: ReadonlySet<string> = new Set([
  'host {1}.',
  'domain {1}.',
  'domains.{1} {2}.',
  '{1} must not be before {2}; {3}',
  '{1} is not a field here{2}',
])

test('what people can do wrong is said in every language: faults and failures of every operation', async () => {
  const all = [...messagesIn([...sources, ...sourcesIn('storage')])].filter(
    ([text, file]) => !toPrograms.test(file) && !composed.has(text) && /[a-z]{2}/.test(text.replace(/\{\d\}/g, '')),
  )
  assert.ok(all.length > 280, 'the sources were not read')
  for (const locale of Object.keys(catalogues)) {
    const say = await sayIn(locale)
    const missing = all.flatMap(([text, file]) => {
      const filled = text.replace(/\{(\d)\}/g, 'x$1')
      // The name of a field comes before some.
      const message = /^(must|is required)\b/.test(filled)
        ? `field ${filled.replace(/\.$/, '')}${filled.includes('; received') && !/\.$/.test(filled) ? '' : '.'}`
        : filled
      return told(say, message) === message ? [`${file}: ${text}`] : []
    })
    assert.deepEqual(missing, [], locale)
  }
})

test('what forms say in lists of records is said in every language', () => {
  const described = new Set<string>()
  const look = (schema: TSchema, isInside = false): void => {
    if (isInside && schema.description) described.add(schema.description)
    for (const each of [...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])]) look(each, isInside)
    for (const property of Object.values<TSchema>(schema.properties ?? {})) look(property, true)
  }
  const spots = spotsOf(table)
  for (const operation of table.operations.values())
    if (spots.byId.has(operation.id) || spots.spotOf.has(operation.id)) look(operation.input)
  for (const [locale, texts] of Object.entries(catalogues)) assert.deepEqual(missingIn(texts, described), [], locale)
})

test('a message that values stand in is told with them, and what no catalogue has in English', async () => {
  const say = await sayIn('de')
  assert.equal(told(say, 'A site has 20 shared links at most.'), 'Eine Website hat höchstens 20 geteilte Links.')
  assert.equal(
    told(say, 'name must have at most 100 characters; received "x y".'),
    'name darf höchstens 100 Zeichen haben; gesendet war "x y".',
  )
  assert.equal(told(say, 'Nobody has ever said this 7 times.'), 'Nobody has ever said this 7 times.')
  assert.equal(told(await sayIn('ja'), 'This link asks for a password.'), 'This link asks for a password.')
  assert.equal((await sayIn('toString'))('constructor'), 'constructor')
})

test('the language of a browser is the first that there is', () => {
  assert.equal(readerBy('nl, fr-CH;q=0.9, de').locale, 'fr')
  assert.equal(readerBy('constructor, zz').locale, 'en')
  assert.equal(readerBy(undefined).locale, 'en')
})

test('a value of a filter that cannot be is told in every language', async () => {
  const [fault] = parseFilters([['country', 'is', 'Atlantis']]).faults
  for (const locale of Object.keys(catalogues)) assert.notEqual(told(await sayIn(locale), fault?.message ?? ''), fault?.message)
})
