/** The stylesheets. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { test } from 'node:test'

const folder = 'adapters/pages/styles'
/** Classes that are a whole selector of a rule. */
const classesOf = (file: string): string[] =>
  [...fs.readFileSync(`${folder}/${file}`, 'utf8').matchAll(/^\.([\w-]+)(?= \{|,)/gm)].map(([, name = '']) => name)

test('a class of the public status page has no rules of other pages, which the same document loads', () => {
  const others = new Set(fs.readdirSync(folder).flatMap(file => (file === 'status.css' ? [] : classesOf(file))))
  assert.deepEqual(
    classesOf('status.css').filter(name => others.has(name)),
    [],
  )
})
