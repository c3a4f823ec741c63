/**
 * Makes traces name the sources instead of the built files. Node's `--enable-source-maps` reads every map when it loads a
 * file, 0.3 s in each test process; this reads a map when a trace is printed.
 */
import fs from 'node:fs'
import { findSourceMap, SourceMap } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** @type {Map<string, SourceMap | undefined>} */
const maps = new Map()

/** @param {string} file */
function mapOf(file) {
  if (!maps.has(file)) {
    const map = `${file}.map`
    maps.set(file, fs.existsSync(map) ? new SourceMap(JSON.parse(fs.readFileSync(map, 'utf8'))) : undefined)
  }
  return maps.get(file)
}

/** @param {NodeJS.CallSite} site */
function positionOf(site) {
  const text = String(site)
  const address = site.getFileName() ?? ''
  if (address === '' || address.startsWith('node:')) return text
  const file = address.startsWith('file:') ? fileURLToPath(address) : address
  const map = address.includes('/dist/tests/') ? mapOf(file) : findSourceMap(address) // of a TypeScript loader
  const found = map?.findEntry((site.getLineNumber() ?? 1) - 1, (site.getColumnNumber() ?? 1) - 1)
  if (!found || !('originalSource' in found)) return text
  const source = path.relative('.', path.resolve(path.dirname(file), found.originalSource.replace(/^file:\/\//, '')))
  return text.replace(/[^\s(]+:\d+:\d+/, `${source}:${found.originalLine + 1}:${found.originalColumn + 1}`)
}

Error.prepareStackTrace = (error, sites) => [String(error), ...sites.map(site => `    at ${positionOf(site)}`)].join('\n')
