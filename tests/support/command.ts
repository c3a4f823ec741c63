/**
 * Commands of the machine in the process of the test, as `node scripts/run.mjs token` runs them, without the 0.4 s of CPU time that a process
 * takes to load it. Tests of starts, of signals and of packages run real processes.
 */
import { runCommand } from '../../scripts/commands.ts'
import type { CommandName } from '../../scripts/command-names.ts'

export interface Ran {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

/** `process.exit`, which ends only the command. */
class Exited extends Error {
  readonly status: number
  constructor(status: number) {
    super(`exit ${status}`)
    this.status = status
  }
}

type Write = typeof process.stdout.write

/**
 * Runs one command after the other: they share the arguments, the environment and the output of the process.
 * @param env added to the environment of the test
 */
export async function ranHere(name: CommandName, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ran> {
  const before = { argv: process.argv, env: process.env, exit: process.exit, exitCode: process.exitCode }
  const writes = [process.stdout.write, process.stderr.write] as const
  const printed = ['', '']
  const capture = (i: 0 | 1): Write =>
    function (this: NodeJS.WriteStream, ...given: Parameters<Write>) {
      // The test runner writes bytes about tests that have ended.
      if (typeof given[0] !== 'string') return writes[i].apply(this, given)
      printed[i] += given[0]
      return true
    } as Write
  process.argv = [process.execPath, 'scripts/run.mjs', ...args]
  process.env = { ...process.env, ...env }
  process.exitCode = undefined
  process.exit = code => {
    throw new Exited(Number(code ?? 0))
  }
  process.stdout.write = capture(0)
  process.stderr.write = capture(1)
  let status = 0
  try {
    await runCommand(name)
    status = Number(process.exitCode ?? 0)
  } catch (error) {
    if (!(error instanceof Exited)) throw error
    status = error.status
  } finally {
    ;[process.stdout.write, process.stderr.write] = writes
    Object.assign(process, before)
  }
  const [stdout = '', stderr = ''] = printed
  return { status, stdout, stderr }
}
