/** A copy of a checkout, in which sources may be broken and tests run. */
import { spawn, spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { installed } from '../../tools/paths.mjs'

export interface Failure {
  readonly file: string
  readonly test: string
}
export type Outcome = Failure | 'passed' | 'out of time'

export interface Checkout {
  readonly folder: string
  /** Runs these tests until one fails. */
  test(files: readonly string[], ms: number): Promise<Outcome>
  remove(): void
}

export function copyCheckout(root: string): Checkout {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-mutants-'))
  fs.chmodSync(folder, 0o755)
  const listed = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  for (const file of listed.stdout.split('\0').filter(Boolean)) {
    const from = path.join(root, file)
    if (!fs.existsSync(from)) continue
    fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    fs.cpSync(from, path.join(folder, file), { verbatimSymlinks: true, preserveTimestamps: true })
  }
  fs.cpSync(path.join(root, 'dist'), path.join(folder, 'dist'), {
    recursive: true,
    preserveTimestamps: true,
    filter: from => !from.startsWith(path.join(root, 'dist', 'tests')),
  })
  for (const each of installed(root)) fs.symlinkSync(path.resolve(root, each), path.join(folder, each))
  // Runs are ended at their first failure: what they leave in memory and among temporary files has to be ours.
  const memory = fs.mkdtempSync(path.join(fs.existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir(), 'mutants-'))
  const temporary = path.join(memory, 'tmp')
  for (const each of [memory, temporary]) {
    fs.mkdirSync(each, { recursive: true })
    fs.chmodSync(each, 0o777)
  }
  const files = path.join(folder, 'tests/support/files.ts')
  fs.writeFileSync(files, fs.readFileSync(files, 'utf8').replace(`'/dev/shm'`, JSON.stringify(memory)))

  return {
    folder,
    async test(chosen, ms) {
      const { NODE_TEST_CONTEXT: _, ...rest } = process.env
      const child = spawn('npm', ['test', '--', '--test-reporter=tap', ...chosen], {
        cwd: folder,
        env: { ...rest, TMPDIR: temporary },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true, // a group, with all that the tests start
      })
      const end = () => {
        try {
          if (child.pid) process.kill(-child.pid, 'SIGKILL')
        } catch {
          // it has ended
        }
      }
      process.once('exit', end)
      const errors: Buffer[] = []
      child.stderr.on('data', (chunk: Buffer) => errors.push(chunk))
      const outcome = await new Promise<Outcome>(resolve => {
        const timer = setTimeout(resolve, ms, 'out of time')
        const names: string[] = []
        let failed: string | undefined
        createInterface({ input: child.stdout }).on('line', line => {
          const [, indent = '', name] = /^( *)# Subtest: (.*)/.exec(line) ?? []
          if (name !== undefined) names.splice(indent.length / 4, Infinity, name)
          failed ??= /^ *not ok \d+ - (.*)/.exec(line)?.[1]
          const [, location] = /^ *location: '(.*)'/.exec(line) ?? []
          if (failed !== undefined && location !== undefined) {
            clearTimeout(timer)
            resolve({ file: fileOf(names, location), test: failed })
          }
        })
        child.once('close', status => {
          clearTimeout(timer)
          const lastLine = String(Buffer.concat(errors)).trim().split('\n').at(-1) ?? ''
          resolve(status === 0 ? 'passed' : { file: '', test: failed ?? `npm test ended with ${status}: ${lastLine}` })
        })
      })
      end()
      process.off('exit', end)
      for (const left of fs.readdirSync(memory)) if (left !== 'tmp') fs.rmSync(path.join(memory, left), { recursive: true, force: true })
      for (const left of fs.readdirSync(temporary)) fs.rmSync(path.join(temporary, left), { recursive: true, force: true })
      fs.rmSync(path.join(folder, 'dist/tests'), { recursive: true, force: true })
      return outcome
    },
    remove() {
      for (const each of [folder, memory]) fs.rmSync(each, { recursive: true, force: true })
    },
  }
}

/** The test file, from the names of suites around a test or from its place in the built file. */
function fileOf(names: readonly string[], location: string): string {
  const [named] = names.flatMap(name => /tests\/\S+\.test\.ts$/.exec(name)?.[0] ?? [])
  const [, built] = /dist\/tests\/\d+\/\d+\/(.*\.test)\.js/.exec([location, ...names].join('\n')) ?? []
  return named ?? (built ? `tests/${built}.ts` : '')
}
