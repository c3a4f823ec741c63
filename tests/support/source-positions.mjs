/**
 * Makes traces name the sources instead of the built files. Node's `--enable-source-maps` reads every map when it loads a
 * file, 0.3 s in each test process; this reads a map when a trace is printed, and of it only the numbers up to the line: Node's
 * `SourceMap` would take two seconds for the map of all tests.
 */
import fs from 'node:fs'
import { findSourceMap } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * A source map, revision 3.
 * @typedef {{ sources: string[], mappings: string, marks: Mark[] }} SourceMap3
 * Where a line begins in the mappings, and the fields before it.
 * @typedef {{ at: number, fields: number[] }} Mark
 */

/** @type {Map<string, SourceMap3 | undefined>} */
const maps = new Map()

/** @param {string} file */
function mapOf(file) {
  if (!maps.has(file)) {
    const map = `${file}.map`
    /** @type {SourceMap3 | undefined} */
    const read = fs.existsSync(map) ? JSON.parse(fs.readFileSync(map, 'utf8')) : undefined
    maps.set(file, read && { ...read, marks: keptMarks(`${file}.marks`, read.mappings) })
  }
  return maps.get(file)
}

const digits = new Uint8Array(128)
for (const [i, letter] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries())
  digits[letter.charCodeAt(0)] = i
const [COMMA, SEMICOLON] = [44, 59]
/** Lines between two marks. */
const STRIDE = 256

/**
 * Reads lines of segments. Fields of segments are differences to the segment before (VLQ, tc39.es/ecma426 §5); the column of the
 * built file begins at 0 again on each line.
 * @param {string} mappings
 * @param {Mark} from
 * @param {(fields: readonly number[]) => void} segment called for each that has a source
 * @param {(at: number, fields: readonly number[]) => boolean} lineEnd whether to go on
 */
function readSegments(mappings, { at, fields: [...fields] }, segment, lineEnd) {
  let [field, value, shift] = [0, 0, 0]
  for (let i = at; i <= mappings.length; i++) {
    const code = i < mappings.length ? mappings.charCodeAt(i) : SEMICOLON
    if (code === COMMA || code === SEMICOLON) {
      if (field >= 4) segment(fields)
      field = 0
      if (code === COMMA) continue
      fields[0] = 0
      if (!lineEnd(i + 1, fields)) return
      continue
    }
    const digit = digits[code] ?? 0
    value |= (digit & 31) << shift
    shift += 5
    if (digit & 32) continue
    fields[field] = (fields[field] ?? 0) + (value & 1 ? -(value >>> 1) : value >>> 1)
    ;[field, value, shift] = [field + 1, 0, 0]
  }
}

/** @param {string} mappings */
function marksOf(mappings) {
  const marks = [{ at: 0, fields: [0, 0, 0, 0, 0] }]
  let line = 0
  const ignore = () => {}
  readSegments(mappings, { at: 0, fields: [0, 0, 0, 0, 0] }, ignore, (at, fields) => {
    if (++line % STRIDE === 0) marks.push({ at, fields: [...fields] })
    return true
  })
  return marks
}

/**
 * Marks take as long to make as a hundred tests, so the first process of a run keeps them for the others.
 * @param {string} file
 * @param {string} mappings
 * @returns {Mark[]}
 */
function keptMarks(file, mappings) {
  if (fs.existsSync(file)) return JSON.parse(fs.readFileSync(file, 'utf8'))
  const marks = marksOf(mappings)
  const temporary = `${file}.${process.pid}`
  fs.writeFileSync(temporary, JSON.stringify(marks))
  fs.renameSync(temporary, file)
  return marks
}

/**
 * The source of a place: the last segment before it on its line.
 * @param {SourceMap3} map
 * @param {number} line from 0, as all here
 * @param {number} column
 */
function originOf(map, line, column) {
  const mark = map.marks[Math.floor(line / STRIDE)]
  if (!mark) return undefined
  let left = line % STRIDE
  /** @type {readonly number[] | undefined} */
  let found
  readSegments(
    map.mappings,
    mark,
    fields => {
      if (left === 0 && (fields[0] ?? 0) <= column) found = [...fields]
    },
    () => left-- > 0,
  )
  return found && { source: map.sources[found[1] ?? 0] ?? '', line: found[2] ?? 0, column: found[3] ?? 0 }
}

/** @param {NodeJS.CallSite} site */
function positionOf(site) {
  const text = String(site)
  const address = site.getFileName() ?? ''
  if (address === '' || address.startsWith('node:')) return text
  const file = address.startsWith('file:') ? fileURLToPath(address) : address
  const [line, column] = [(site.getLineNumber() ?? 1) - 1, (site.getColumnNumber() ?? 1) - 1]
  const found = address.includes('/dist/tests/') ? builtFrom(file, line, column) : loadedFrom(address, line, column)
  if (!found) return text
  const source = path.relative('.', path.resolve(path.dirname(file), found.source.replace(/^file:\/\//, '')))
  return text.replace(/[^\s(]+:\d+:\d+/, `${source}:${found.line + 1}:${found.column + 1}`)
}

/**
 * @param {string} file
 * @param {number} line
 * @param {number} column
 */
function builtFrom(file, line, column) {
  const map = mapOf(file)
  return map && originOf(map, line, column)
}

/**
 * Of a TypeScript loader.
 * @param {string} address
 * @param {number} line
 * @param {number} column
 */
function loadedFrom(address, line, column) {
  const found = findSourceMap(address)?.findEntry(line, column)
  return found && 'originalSource' in found
    ? { source: found.originalSource, line: found.originalLine, column: found.originalColumn }
    : undefined
}

// Node makes an error, with its trace, when a stream is first read to its end. Made here, it does not read the map: 0.3 s a process.
new ReadableStream().getReader().releaseLock()

Error.prepareStackTrace = (error, sites) => [String(error), ...sites.map(site => `    at ${positionOf(site)}`)].join('\n')
