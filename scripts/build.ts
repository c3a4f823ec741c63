/**
 * `npm run build`, which `npm ci` and `npm pack` run too: writes `dist/`, everything that a running service needs
 * in addition to its packages. Other processes may start from it meanwhile, so each file is replaced atomically.
 */
import fs from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'
import { mergedTexts, textFiles } from '../runtime/texts/catalogues.ts'
import { languages } from '../runtime/texts/reader.ts'
import { REGIONS_SOURCE, regionLines } from '../storage/engine/vocabulary/regions.ts'
import { scalarFiles } from '../adapters/openapi/scalar.ts'
import { trackerFiles } from '../tracker/build.ts'
import { flagsFolder } from '../runtime/ui/icons/flags.ts'
import { makeMarks, makeSprite } from '../runtime/ui/icons/sprite.ts'
import { inAscii } from './build/ascii.ts'
import { makeCodeCaches, PagesFault } from './build/code-cache.ts'
import { fontFiles } from './build/fonts.ts'
import { licenceText, packagesOf } from './build/licences.ts'
import { packagesApart, pageAssets, root, service, starters, threads } from './build/options.ts'
import { cacheFile } from './code-cache.mjs'

const dist = path.join(root, 'dist')
const [serviceFile, threadFile] = ['commands.cjs', 'report-thread.cjs'] as const
const caches = [serviceFile, threadFile].map(cacheFile)
const [programs, served, packages, threadFiles, pages, tracker] = await Promise.all([
  build({ ...starters, write: false }),
  build({ ...service, write: false }),
  build({ ...packagesApart, write: false }),
  build({ ...threads, write: false }),
  build({ ...pageAssets, write: false }),
  trackerFiles(),
])
const built = [programs, served, packages, threadFiles, pages, tracker]
const inputs = built.flatMap(({ metafile }) => Object.keys(metafile.inputs))
const translated = languages.filter(language => language !== 'en')
/** Packages whose icons, flags and letters are in the pages. */
const drawnFrom = ['@fontsource-variable/inter', '@iconify-json/lucide', '@iconify-json/simple-icons', 'country-flag-icons'].map(
  name => `node_modules/${name}/package.json`,
)
const scalar = scalarFiles()
/** Notice for the ranges in routes.txt. */
const NETWORKS_NOTICE = `${'-'.repeat(80)}\n\nroutes.txt: address ranges of well-known networks, after routes published by RouteViews (https://www.routeviews.org), the NRO\n(https://www.nro.net) and DB-IP (https://db-ip.com), CC BY 4.0. Adjacent ranges were joined, and small ones left out.\n`

const files = new Map<string, string | Uint8Array>([
  ...built.flatMap(({ outputFiles }) =>
    outputFiles.map(file => [path.relative(dist, file.path), file.path.endsWith('.cjs') ? inAscii(file.text) : file.contents] as const),
  ),
  ['licences.txt', `${licenceText(packagesOf([...inputs, `node_modules/${REGIONS_SOURCE}`, ...drawnFrom]))}\n${NETWORKS_NOTICE}`],
  ['routes.txt', fs.readFileSync(path.join(root, 'operations/sites/collection/networks/routes.txt'))],
  ['regions.txt', regionLines(fs.readFileSync(path.join(root, 'node_modules', REGIONS_SOURCE), 'utf8'))],
  ...translated.map(language => [`texts/${language}.json`, JSON.stringify(mergedTexts(root, language))] as const),
  ['scalar/standalone.js', fs.readFileSync(scalar.script)],
  ['scalar/package.json', fs.readFileSync(scalar.manifest)], // for its version and authors
  ['scalar/licences.txt', fs.readFileSync(path.join(root, 'scripts/build/scalar-licences.txt'))],
])
// With the modules of the npm package: their types, and for bundlers that importing them has no effect.
for (const name of ['tracker', 'server']) files.set(`npm/${name}.d.ts`, fs.readFileSync(path.join(root, `tracker/npm/${name}.d.ts`)))
files.set('npm/package.json', JSON.stringify({ type: 'module', sideEffects: false }))
files.set('pages/icons.svg', makeSprite())
for (const [name, mark] of makeMarks()) files.set(`pages/marks/${name}.svg`, mark)
for (const [name, contents] of await fontFiles()) files.set(`pages/${name}`, contents)
for (const name of fs.readdirSync(flagsFolder()).filter(name => name.endsWith('.svg')))
  files.set(`pages/flags/${name}`, fs.readFileSync(path.join(flagsFolder(), name)))
for (const [name, contents] of files) write(name, contents)
for (const name of fs.readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
  const isOurs = !caches.includes(name) && !/^(bench|tests)(\/|$)/.test(name) && fs.statSync(path.join(dist, name)).isFile()
  if (isOurs && !files.has(name)) fs.rmSync(path.join(dist, name))
}
fs.chmodSync(path.join(dist, 'footfall.js'), 0o755)
await makeCodeCaches(path.join(dist, serviceFile), path.join(dist, threadFile)).catch((error: Error) => {
  process.stderr.write(error instanceof PagesFault ? `${error.message}\n` : `Starts will take longer: ${error.message}\n`)
  if (error instanceof PagesFault) process.exit(1) // without the list of inputs, so that the next start builds again
})
const own = inputs.filter(file => !file.includes('node_modules/'))
const builders = [
  'package-lock.json',
  'tracker/build.ts',
  'tracker/npm/tracker.d.ts',
  'tracker/npm/server.d.ts',
  ...translated.flatMap(language => textFiles(root, language)).map(file => path.relative(root, file)),
  'scripts/build.ts',
  'operations/sites/collection/networks/routes.txt',
  ...fs.readdirSync(path.join(root, 'scripts/build')).map(file => `scripts/build/${file}`),
]
write('inputs.json', JSON.stringify([...new Set([...own, ...builders])].sort(), null, 1))

function write(name: string, contents: string | Uint8Array): void {
  const file = path.join(dist, name)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(`${file}.${process.pid}`, contents)
  fs.renameSync(`${file}.${process.pid}`, file)
}
