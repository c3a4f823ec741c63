/** The versions of Node to try, as npm's packages have them, and the package installed with each. */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { root } from '../build/root.ts'

/** By major version. `engines` in package.json has the oldest. */
export const versions: Readonly<Record<string, string>> = { 20: '20.20.2', 22: '22.23.3', 24: '24.21.0', 26: '26.10.0' }

/** Removed by `npm ci`. */
const cache = path.join(root, 'node_modules/.cache/smoke')

export interface Node {
  readonly version: string
  readonly program: string
  /** Whether it runs this command; the packages of the checkout are for it. */
  readonly isOurs: boolean
}

export function nodeOf(major: string): Node {
  if (process.versions.node.startsWith(`${major}.`)) return { version: process.versions.node, program: process.execPath, isOurs: true }
  const version = versions[major] ?? ''
  const name = `node-${process.platform}-${process.arch}`
  const folder = path.join(cache, version)
  const program = path.join(folder, 'node_modules', name, 'bin/node')
  if (!fs.existsSync(program)) install({ node: process.execPath, folder, what: `${name}@${version}`, options: ['--ignore-scripts'] })
  return { version, program, isOurs: false }
}

/** @returns the tarball of `npm pack`, without building again */
export function pack(): string {
  fs.mkdirSync(cache, { recursive: true })
  const [npm, ...args] = npmWith(process.execPath)
  const packed = execFileSync(npm, [...args, 'pack', '--ignore-scripts', '--json', '--pack-destination', cache], {
    cwd: root,
    encoding: 'utf8',
  })
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }] // what npm prints
  return path.join(cache, filename)
}

/** @returns the file that Node runs for `npm start` */
export function installOn({ version, program, isOurs }: Node, tarball: string): string {
  if (isOurs) return path.join(root, 'scripts/run.mjs')
  const folder = path.join(cache, version, 'installed')
  fs.rmSync(folder, { recursive: true, force: true })
  // From Node-API 10 on nothing is compiled, so nothing may need an install script (docs/platform.md).
  const isCompiled = Number(execFileSync(program, ['-p', 'process.versions.napi'], { encoding: 'utf8' })) < 10
  install({ node: program, folder, what: tarball, options: isCompiled ? ['--omit=dev'] : ['--omit=dev', '--ignore-scripts'] })
  return path.join(folder, 'node_modules/footfall/scripts/run.mjs')
}

interface Install {
  readonly node: string
  readonly folder: string
  readonly what: string
  readonly options: readonly string[]
}

function install({ node, folder, what, options }: Install): void {
  fs.mkdirSync(folder, { recursive: true })
  const [npm, ...args] = npmWith(node)
  execFileSync(npm, [...args, 'install', '--prefix', folder, '--no-audit', '--no-fund', '--prefer-offline', ...options, what], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, npm_config_global: 'false' },
  })
}

/** This npm, run by another Node: it checks which packages fit. */
function npmWith(node: string): [string, ...string[]] {
  const npm = process.env.npm_execpath
  return npm === undefined ? ['npm'] : [node, npm]
}
