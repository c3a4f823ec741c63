/** Standalone archives: the service with Node next to it, so that `./footfall` starts without anything else installed. */
import fs from 'node:fs'
import path from 'node:path'
import { digest, npm, run } from './shell.ts'
import type { Source } from './source.ts'
import type { Target } from './targets.ts'

/** Flags as in package.json's `start`. `exec`: signals reach the service. Links are followed, for a link in /usr/local/bin. */
const LAUNCHER = `#!/bin/sh
self=$0
while [ -h "$self" ]; do
  to=$(readlink "$self")
  case $to in /*) self=$to ;; *) self=$(dirname "$self")/$to ;; esac
done
here=$(cd "$(dirname "$self")" && pwd)
FOOTFALL_LAUNCHER=$0 exec "$here/node" --max-semi-space-size=32 --v8-pool-size=2 "$here/app/dist/footfall.js" "$@"
`

/** Files of the package besides the modules that npm installs. */
const published = [
  'package.json',
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'dist',
  'docs',
  'spec',
  'scripts/run.mjs',
  'scripts/up-to-date.mjs',
]
/** Sources and tests inside packages, and the SQLite library for Node 20, which is not in the archive. */
const unneeded = [
  'app/node_modules/better-sqlite3/deps',
  'app/node_modules/better-sqlite3/src',
  'app/node_modules/better-sqlite3-12',
  'app/node_modules/node-addon-api',
  'app/node_modules/.package-lock.json',
  'app/package-lock.json',
]

/** @returns the file, `footfall-<version>-<target>.tar.gz`. The same commit has the same bytes. */
export function archive(source: Source, target: Target, { work, out, node }: { work: string; out: string; node: string }): string {
  const name = `footfall-${source.version}-${target.name}`
  const folder = path.join(work, name)
  const app = path.join(folder, 'app')
  fs.mkdirSync(app, { recursive: true })
  for (const each of published) fs.cpSync(path.join(source.folder, each), path.join(app, each), { recursive: true })
  for (const file of fs.readdirSync(path.join(app, 'dist'), { recursive: true, encoding: 'utf8' })) {
    if (file.endsWith('.map') || file === 'inputs.json') fs.rmSync(path.join(app, 'dist', file))
  }
  fs.copyFileSync(path.join(source.folder, 'package-lock.json'), path.join(app, 'package-lock.json'))
  const forTarget = [`--os=${target.os}`, `--cpu=${target.cpu}`, ...(target.os === 'linux' ? ['--libc=glibc'] : [])]
  npm(app, ['ci', '--omit=dev', '--ignore-scripts', ...forTarget], { node })
  for (const each of unneeded) fs.rmSync(path.join(folder, each), { recursive: true, force: true })
  const library = `${target.os}-${target.cpu}.node`
  const prebuilt = path.join(app, 'node_modules/better-sqlite3/prebuilds')
  if (!fs.existsSync(path.join(prebuilt, library))) throw new Error(`better-sqlite3 has no ${library}`)
  for (const each of fs.readdirSync(prebuilt)) if (each !== library) fs.rmSync(path.join(prebuilt, each))
  addNode(target, { work, folder })
  fs.writeFileSync(path.join(folder, 'footfall'), LAUNCHER, { mode: 0o755 })
  const file = path.join(out, `${name}.tar.gz`)
  const options = ['--sort=name', `--mtime=@${source.seconds}`, '--owner=0', '--group=0', '--numeric-owner', '--mode=go=rX,u+rw']
  run(work, 'tar', [...options, '--use-compress-program=gzip -9 --no-name', '-cf', file, name])
  return file
}

function addNode(target: Target, { work, folder }: { work: string; folder: string }): void {
  const [packed] = JSON.parse(npm(work, ['pack', target.node, '--json'])) as { filename: string }[] // as npm prints it
  const tarball = path.join(work, packed?.filename ?? '')
  const found = `sha512-${digest(tarball, 'sha512').toString('base64')}`
  if (found !== target.integrity) throw new Error(`${target.node} has the checksum ${found}, but scripts/release/targets.ts has another`)
  run(work, 'tar', ['-xzf', tarball, '-C', folder, '--strip-components=1', 'package/bin/node', 'package/LICENSE'])
  fs.renameSync(path.join(folder, 'bin/node'), path.join(folder, 'node'))
  fs.rmdirSync(path.join(folder, 'bin'))
  fs.renameSync(path.join(folder, 'LICENSE'), path.join(folder, 'LICENSE-node'))
  fs.chmodSync(path.join(folder, 'node'), 0o755)
}
