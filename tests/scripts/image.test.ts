/** Dockerfile and compose.yaml say what is so: images are not built in the tests. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { before, describe, test } from 'node:test'
import { bringUpToDate } from '../../scripts/up-to-date.mjs'

const manifest = JSON.parse(fs.readFileSync('package.json', 'utf8'))
const lines = fs
  .readFileSync('Dockerfile', 'utf8')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter(line => /^[A-Z]/.test(line))
const served = lines.slice(lines.findLastIndex(line => line.startsWith('FROM ')))
const all = (name: string) => served.filter(line => line.startsWith(`${name} `)).map(line => line.slice(name.length + 1))
const only = (name: string): string => all(name)[0] ?? assert.fail(`no ${name}`)
const setTo = (name: string) => new RegExp(`\\b${name}=(\\S+)`).exec(only('ENV'))?.[1]

describe('the image', () => {
  before(() => assert.equal(bringUpToDate(), undefined))

  test('copies what is there, and all of the package that runs', () => {
    const copied = all('COPY').flatMap(line => [...line.matchAll(/\/app\/(\S+)/g)].map(([, name = '']) => name))
    const made = ['node_modules', 'dist']
    for (const name of copied) assert.ok(made.includes(name) || fs.existsSync(name), name)
    const runs = manifest.files.filter((name: string) => !/^!|prepare/.test(name))
    assert.deepEqual(
      [...runs, 'package.json', 'node_modules'].filter(name => !copied.includes(name)),
      [],
    )
    assert.ok(fs.existsSync(path.join('/app', manifest.bin.footfall).replace('/app/', '')))
    assert.match(all('RUN').join(), new RegExp(`ln -s /app/${manifest.bin.footfall} /usr/local/bin/footfall`))
  })

  test('is built of all sources', () => {
    const ignored = fs.readFileSync('.dockerignore', 'utf8').trim().split('\n')
    const inputs: string[] = JSON.parse(fs.readFileSync('dist/inputs.json', 'utf8'))
    const needed = [...inputs, 'scripts/prepare.mjs', 'package-lock.json']
    assert.deepEqual(
      needed.filter(file => ignored.includes(file.split('/')[0] ?? '') && !file.startsWith('node_modules/')),
      [],
    )
    assert.ok(ignored.includes('node_modules'), 'which may be of another system')
  })

  test('starts as npm start does, with a Node that is new enough, as an ordinary user who may write to the volume', () => {
    assert.equal(`exec ${JSON.parse(only('CMD')).join(' ')}`, manifest.scripts.start)
    const [, min = ''] = /^>=(\d+)/.exec(manifest.engines.node) ?? []
    for (const line of lines.filter(line => line.startsWith('FROM '))) assert.ok(Number(/node:(\d+)-/.exec(line)?.[1]) >= Number(min), line)
    const volume = only('VOLUME')
    assert.equal(setTo('DATABASE_URL'), `file:${volume}/footfall.db`)
    const user = only('USER')
    assert.match(user, /^[1-9]\d*:[1-9]\d*$/, 'a number, as Kubernetes asks for')
    assert.match(all('RUN').join(), new RegExp(`chown ${user} ${volume}`))
    assert.ok(served.findIndex(line => line.startsWith('USER ')) > served.findLastIndex(line => line.startsWith('RUN ')))
    const compose = fs.readFileSync('compose.yaml', 'utf8')
    assert.match(compose, new RegExp(`volumes: \\["footfall:${volume}"\\]`))
    assert.match(compose, new RegExp(`:${setTo('PORT')}"\\]`))
    assert.equal(only('EXPOSE'), setTo('PORT'))
  })
})
