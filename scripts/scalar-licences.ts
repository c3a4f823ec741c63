/**
 * `npm run scalar-licences`: writes scripts/build/scalar-licences.txt. The one file of Scalar that
 * pages use contains other packages, which `npm ci` does not install. So this installs Scalar with all of them in a temporary folder, compares
 * the file, and writes their copyright lines, and each text of a licence once.
 */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import manifest from '../package.json' with { type: 'json' }
import { root } from './build/root.ts'

interface Installed {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly text: string
}

const version = manifest.devDependencies['@scalar/fastify-api-reference']
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-scalar-'))
try {
  const wanted = `@scalar/api-reference@${version}`
  const options = ['--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--omit=optional']
  execFileSync('npm', ['install', ...options, wanted], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  const modules = path.join(folder, 'node_modules')
  const theirs = fs.readFileSync(path.join(modules, '@scalar/api-reference/dist/browser/standalone.js'))
  const ours = createRequire(import.meta.url)
    .resolve('@scalar/fastify-api-reference')
    .replace(/index\.[cm]?js$/, 'js/standalone.js')
  if (!theirs.equals(fs.readFileSync(ours))) throw new Error(`${wanted} has another file than @scalar/fastify-api-reference`)
  fs.writeFileSync(path.join(root, 'scripts/build/scalar-licences.txt'), textOf(packagesIn(modules)))
} finally {
  fs.rmSync(folder, { recursive: true, force: true })
}

function packagesIn(modules: string): Installed[] {
  return fs
    .readdirSync(modules, { recursive: true, encoding: 'utf8' })
    .filter(file => /(^|\/)node_modules\/(@[^/]+\/)?[^/]+\/package\.json$/.test(`node_modules/${file.replaceAll(path.sep, '/')}`))
    .sort()
    .map(file => {
      const at = path.join(modules, path.dirname(file))
      const { name, version, license = '' } = JSON.parse(fs.readFileSync(path.join(at, 'package.json'), 'utf8')) as Installed // as npm asks
      const found = fs.readdirSync(at).find(each => /^licen[cs]e/i.test(each))
      return { name, version, license, text: found === undefined ? '' : fs.readFileSync(path.join(at, found), 'utf8') }
    })
}

function textOf(packages: readonly Installed[]): string {
  const isCopyright = (line: string) => /^\W*(copyright\b|\(c\)|©)/i.test(line.trim())
  const linesOf = (text: string) => text.split(/\r?\n/).map(line => line.trim())
  const texts = new Map<string, { text: string; names: string[] }>()
  const heads = packages.map(({ name, version, license, text }) => {
    const rest = linesOf(text).filter(line => !isCopyright(line))
    const key = rest.join(' ').replace(/\W+/g, ' ').toLowerCase()
    if (key.trim() !== '') {
      const same = texts.get(key) ?? {
        text: rest
          .join('\n')
          .replace(/\n{3,}/g, '\n\n')
          .trim(),
        names: [],
      }
      same.names.push(name)
      texts.set(key, same)
    }
    return [
      `${name} ${version} (${license})`,
      ...linesOf(text)
        .filter(isCopyright)
        .map(line => `  ${line}`),
    ].join('\n')
  })
  const licences = [...texts.values()].map(({ text, names }) => `${[...new Set(names)].join(', ')}\n\n${text}\n`)
  return `${heads.join('\n')}\n\n${[''].concat(licences).join(`${'-'.repeat(80)}\n\n`)}`
}
