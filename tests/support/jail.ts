/**
 * Runs a program as a container or a sandboxed service would: as an ordinary user, with only the environment it is given,
 * on a root that cannot be written to, where only named folders can. With mount namespaces of Linux; needs root.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

export interface Jail {
  /** Folders and files by their path inside; they cannot be written to. */
  readonly has: Readonly<Record<string, string>>
  /** Folders by their path inside that can be written to, if their owner and mode allow it. */
  readonly writable: Readonly<Record<string, string>>
  /** Empty folders in memory, of root, that anyone may write to, such as /tmp. */
  readonly temporary?: readonly string[]
  readonly user: number
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
}

/** Folders of every system; a container has its own, a service the machine's. */
const system = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/etc']

const works = process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0
/** Why there is no jail on this machine; false if there is one. */
export const noJail = !works && 'only root may make mount namespaces, on Linux'

/** @param argv of a program: `node` is the one that runs the tests. Its process id is the id of the child. */
export function inJail({ has, writable, temporary = [], user, env, cwd }: Jail, argv: readonly string[]): ChildProcess {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-jail-'))
  const q = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
  const mounted = (from: string, to: string, isWritable: boolean) => {
    const at = q(root + to)
    const make = fs.statSync(from).isDirectory() ? `mkdir -p ${at}` : `mkdir -p ${q(path.dirname(root + to))}; touch ${at}`
    return `${make}; mount --bind ${q(fs.realpathSync(from))} ${at}${isWritable ? '' : `; mount -o remount,bind,ro ${at}`}`
  }
  const links = system.filter(place => fs.lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink())
  const folders = system.filter(place => !links.includes(place) && fs.existsSync(place))
  const variables = { PATH: '/jail:/usr/local/bin:/usr/bin:/bin', ...env }
  const script = [
    `mount -t tmpfs -o mode=755 none ${q(root)}`,
    ...links.map(place => `ln -s ${q(fs.readlinkSync(place))} ${q(root + place)}`),
    ...folders.map(place => mounted(place, place, false)),
    mounted(process.execPath, '/jail/node', false),
    ...['/proc', '/dev'].map(place => `mkdir ${q(root + place)}; mount --rbind ${place} ${q(root + place)}`),
    ...Object.entries(has).map(([to, from]) => mounted(from, to, false)),
    ...temporary.map(place => `mkdir -p ${q(root + place)}; mount -t tmpfs -o mode=1777 none ${q(root + place)}`),
    ...Object.entries(writable).map(([to, from]) => mounted(from, to, true)),
    `mount -o remount,ro ${q(root)}`,
    `exec chroot ${q(root)} /usr/bin/env -i -C ${q(cwd)} ${Object.entries(variables)
      .map(([name, value]) => q(`${name}=${value}`))
      .join(
        ' ',
      )} setpriv --reuid ${user} --regid ${user} --clear-groups --inh-caps=-all --bounding-set=-all --no-new-privs ${argv.map(q).join(' ')}`,
  ]
  const child = spawn('unshare', ['--mount', '--propagation', 'private', 'sh', '-euc', script.join('\n')], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.once('exit', () => fs.rmdirSync(root))
  process.once('exit', () => child.kill('SIGKILL'))
  return child
}
