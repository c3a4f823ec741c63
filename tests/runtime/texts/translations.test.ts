/** Translations by id: what can be checked of them without reading them. `npm run texts` lists what is missing. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'

import { table } from '../../../operations/index.ts'
import { root } from '../../../scripts/build/root.ts'
import { loadMessages } from '../../../scripts/texts.ts'
import { declaredText, loadTexts, mergedTexts } from '../../../runtime/texts/catalogues.ts'
import { parametersOf } from '../../../runtime/texts/format.ts'
import { declaredMessages } from '../../../runtime/texts/message.ts'
import { languages, readerBy } from '../../../runtime/texts/reader.ts'
import { sayIn } from '../../../runtime/texts/say.ts'
import { withSpaces } from '../../../runtime/texts/spaces.ts'
import { declareTextsOf, textsOf } from '../../../runtime/table/table-texts.ts'
import { turnsDuring } from '../../support/event-loop-turns.ts'

const translated = languages.filter(language => language !== 'en')
before(loadMessages)
const catalogues = new Map(translated.map(language => [language, mergedTexts(root, language)]))

test('no text of the table has the id of a message', () => {
  const messages = declaredMessages()
  assert.deepEqual(
    textsOf(table)
      .map(({ id }) => id)
      .filter(id => messages.has(id)),
    [],
  )
})

test('a translated message takes the parameters of its English, and no others', () => {
  for (const [language, texts] of catalogues)
    for (const [code, english] of declaredMessages()) {
      const text = texts[code]
      if (text === undefined) continue
      const [taken, there] = [parametersOf(text), new Set(parametersOf(english))]
      assert.deepEqual(
        taken.filter(name => !there.has(name)),
        [],
        `${language}: ${code}: ${text}`,
      )
    }
})

test('texts of a table are collected in several turns of the event loop', async () => {
  declareTextsOf({ ...table }) // a table that is new is collected again, also if another test loaded the language
  const { count } = await turnsDuring(async () => {
    await loadTexts(readerBy('en'))
    declaredText(readerBy('en'), 'Visitors')
  })
  assert.ok(count > 0)
})

test('texts stay translated while the texts of another table are collected', async () => {
  const reader = readerBy('de')
  declareTextsOf(table)
  await loadTexts(reader)
  const declared = textsOf(table).map(({ english }) => english)
  const said = () => declared.map(english => declaredText(reader, english))
  const before = said()
  assert.notDeepEqual(before, declared)
  declareTextsOf({ ...table })
  assert.deepEqual(said(), before)
  await loadTexts(reader)
  assert.deepEqual(said(), before)
})

test('a description is shown in the language of the reader if any place with its English has a translation', async () => {
  const texts = catalogues.get('de') ?? {}
  const reader = readerBy('de')
  declareTextsOf(table)
  await loadTexts(reader)
  const declared = textsOf(table)
  const translations = new Map(declared.filter(({ id }) => texts[id] !== undefined).map(({ id, english }) => [english, texts[id]]))
  const lost = declared.filter(({ english }) => translations.has(english) && declaredText(reader, english) === english)
  const helped = declared.filter(
    ({ english, help }) => help !== undefined && translations.has(english) && declaredText(reader, english) === help,
  )
  assert.deepEqual(
    [...lost, ...helped]
      .filter(({ english, help }) => ![english, help].includes(translations.get(english) ?? undefined))
      .map(({ id }) => id),
    [],
  )
})

test('the title and the label of an operation with the same English have the same translation', () => {
  const declared = new Map(textsOf(table).map(({ id, english }) => [id, english]))
  for (const [language, texts] of catalogues)
    for (const [id, english] of declared) {
      const label = id.replace(/\.title$/, '.label')
      if (label === id || declared.get(label) !== english || texts[id] === undefined || texts[label] === undefined) continue
      assert.equal(texts[id], texts[label], `${language}: ${id}`)
    }
})

test('a text without a translation, or in an unknown language, is in English', async () => {
  const [english, other] = [await sayIn('en'), await sayIn('ja')]
  assert.equal(other.locale, 'en')
  assert.equal(english('This link asks for a password.'), 'This link asks for a password.')
})

test('French signs are not parted from their words at the end of a line', () => {
  const wrapping = / [;:!?»]|« /
  const texts = catalogues.get('fr') ?? {}
  assert.ok(Object.values(texts).some(text => wrapping.test(text)))
  assert.deepEqual(
    Object.values(withSpaces(texts)).filter(text => wrapping.test(text)),
    [],
  )
})

test('the language of a browser is the first one with translations', () => {
  assert.equal(readerBy('nl, fr-CH;q=0.9, de').locale, 'fr')
  assert.equal(readerBy('constructor, zz').locale, 'en')
  assert.equal(readerBy(undefined).locale, 'en')
})
