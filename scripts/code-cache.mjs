/**
 * Runs a built program from its code cache: what V8 compiled of it in an earlier process (v8.dev/blog/code-caching-for-devs).
 * Compiling is most of a start. A cache that does not fit is not used: V8 refuses a cache of other flags; the checksum, a cache of
 * another program, of another build of Node, and one that was damaged on disk. V8 itself accepts a cache of another build with
 * the same version of V8, and then crashes: Node 20.19.6 does with one of 20.20.2. Without a cache the program is compiled as usual.
 * Plain JavaScript, so that the build can run it without a loader.
 */
import { isAscii } from 'node:buffer'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import v8 from 'node:v8'
import vm from 'node:vm'
import { isMainThread } from 'node:worker_threads'
import { crc32 } from 'node:zlib'

/** @param {string} program a file */
export const cacheFile = program => `${program}.cache`

const checksumBytes = 4

/**
 * The flag of `npm start`, without which V8 would refuse the cache. A process that was started without it is not changed: the size
 * is set when V8 starts.
 */
const SERVICE_FLAG = '--max-semi-space-size=32'

/**
 * While a program starts, the space of new objects does not grow: nearly all that is made then stays, and the space would keep 25 MB
 * that nothing uses. V8 refuses a cache under this flag, so it is set after the cache was read, and is default again after two seconds.
 */
const [START_FLAG, USUAL_FLAG] = ['--semi-space-growth-factor=1', '--semi-space-growth-factor=2']
const startMs = 2_000

/**
 * @param {string} program a CommonJS file
 * @returns {{ exports: unknown, script?: vm.Script }} `script` is for `keepCache`; it is absent if Node itself loaded the program
 */
export function runProgram(program) {
  const require = createRequire(program)
  // Node maps the stack traces only of modules that it loads itself.
  if (process.sourceMapsEnabled) {
    return { exports: require(program) }
  }
  if (isMainThread) v8.setFlagsFromString(SERVICE_FLAG) // for its threads as well
  const script = compiled(program)
  if (isMainThread) {
    v8.setFlagsFromString(START_FLAG)
    setTimeout(() => v8.setFlagsFromString(USUAL_FLAG), startMs).unref()
  }
  const module = { exports: {} }
  script.runInThisContext()(module.exports, require, module, program, path.dirname(program))
  return { exports: module.exports, script }
}

/**
 * In a function of its own, so that what it read is not in use while the program starts, and can be freed then.
 * @param {string} program
 */
function compiled(program) {
  const { whole, source } = readWrapped(program)
  // V8 holds a text of ASCII in half the memory.
  const text = whole.toString(isAscii(whole) ? 'latin1' : 'utf8')
  return new vm.Script(text, { filename: program, cachedData: readCache(program, source) })
}
const before = Buffer.from('(function (exports, require, module, __filename, __dirname) {')
const after = Buffer.from('\n})')

/**
 * Reads a program into its function: to join them afterwards would take as long as to read it, as memory that is used for the first time is slow.
 * @param {string} program
 */
function readWrapped(program) {
  const file = fs.openSync(program, 'r')
  const { size } = fs.fstatSync(file)
  const end = before.length + size
  const whole = Buffer.allocUnsafeSlow(end + after.length)
  before.copy(whole)
  for (let at = before.length, read = 1; read > 0 && at < end; at += read) read = fs.readSync(file, whole, at, end - at, null)
  fs.closeSync(file)
  after.copy(whole, end)
  return { whole, source: whole.subarray(before.length, end) }
}

/**
 * Written after the program has started, the cache has the functions that a start calls.
 * @param {string} program
 * @param {vm.Script} script
 */
export function keepCache(program, script) {
  v8.setFlagsFromString(USUAL_FLAG)
  const data = script.createCachedData()
  const checksum = Buffer.alloc(checksumBytes)
  checksum.writeUInt32LE(checksumOf(fs.readFileSync(program), data))
  const temporary = `${cacheFile(program)}.${process.pid}`
  fs.writeFileSync(temporary, Buffer.concat([checksum, data]))
  fs.renameSync(temporary, cacheFile(program))
}

/**
 * @param {string} program
 * @param {Buffer} source
 */
function readCache(program, source) {
  if (!fs.existsSync(cacheFile(program))) return undefined
  const kept = fs.readFileSync(cacheFile(program))
  if (kept.length <= checksumBytes) return undefined
  const data = kept.subarray(checksumBytes)
  return kept.readUInt32LE() === checksumOf(source, data) ? data : undefined
}

/**
 * @param {Buffer} source
 * @param {Buffer} data
 */
const checksumOf = (source, data) => crc32(data, crc32(source, crc32(buildOfNode())))

/** Node's version, the versions of its libraries, and the options that it was built with. */
const buildOfNode = () => JSON.stringify([process.version, process.versions, process.arch, process.config])
