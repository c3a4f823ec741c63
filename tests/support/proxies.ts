/** The proxies of docs/install.md, each with the text of its section; only ports and places of files are put in. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import tls from 'node:tls'
import { freePort } from './ports.ts'
import { endProcess } from './process.ts'

export const HOST = 'footfall.example.com'

interface Proxy {
  readonly program: string
  /** A language of a block of docs/install.md. */
  readonly language: string
  /** The whole configuration around the block. */
  whole(block: string, at: { folder: string; port: number }): string
  argv(file: string, folder: string): string[]
  /** The certificate that its own is signed with. */
  authority(folder: string): string
}

const own = (folder: string) => path.join(folder, `${HOST}.pem`)
const modules = '/usr/lib/apache2/modules'

export const proxies: Readonly<Record<string, Proxy>> = {
  nginx: {
    program: '/usr/sbin/nginx',
    language: 'nginx',
    whole: (block, { folder }) => {
      const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(name => `${name}_temp_path ${folder}/${name};`).join(' ')
      return `daemon off; pid ${folder}/pid; error_log stderr; events {}\nhttp { access_log off; ${places}\n${block}\n}`
    },
    argv: (file, folder) => ['-e', 'stderr', '-p', folder, '-c', file],
    authority: own,
  },
  Caddy: {
    program: '/usr/bin/caddy',
    language: 'caddyfile',
    whole: (block, { port }) =>
      `{\n  admin off\n  local_certs\n  skip_install_trust\n  auto_https disable_redirects\n  https_port ${port}\n}\n${block}`,
    argv: file => ['run', '--adapter', 'caddyfile', '--config', file],
    authority: folder => path.join(folder, 'caddy/pki/authorities/local/root.crt'),
  },
  HAProxy: { program: '/usr/sbin/haproxy', language: 'haproxy', whole: block => block, argv: file => ['-db', '-f', file], authority: own },
  Apache: {
    program: '/usr/sbin/apache2',
    language: 'apache',
    whole: (block, { folder, port }) => {
      const loaded = ['mpm_event', 'authz_core', 'socache_shmcb', 'ssl', 'proxy', 'proxy_http'].map(
        name => `LoadModule ${name}_module ${modules}/mod_${name}.so`,
      )
      return [
        `ServerRoot ${folder}`,
        `PidFile ${folder}/pid`,
        'ServerName localhost',
        `ErrorLog ${folder}/log`,
        'User nobody',
        'Group nogroup',
        ...loaded,
        `Listen ${port}`,
        block,
      ].join('\n')
    },
    argv: file => ['-X', '-f', file],
    authority: own,
  },
}

export const isInstalled = ({ program }: Proxy): boolean => fs.existsSync(program) && spawnSync('openssl', ['version']).status === 0

/** The blocks of docs/install.md for a service below a path, within a server: as they are, and with the path removed. */
export const belowPath: Readonly<Record<string, (isRemoved: boolean) => string>> = {
  nginx(isRemoved) {
    const block = blockOf('nginx', '### Below a path')
    const root = '.well-known/oauth-(authorization-server|protected-resource)/stats'
    const removing = block.replace(/^location .*$/m, 'location /stats/ {').replace('http://footfall;', 'http://footfall/;')
    const locations = isRemoved ? `${removing}${block.replace(/^location .*$/m, `location ~ ^/${root}(/|$) {`)}` : block
    return blockOf('nginx').replace(/location \/ \{[^}]*\}/, () => locations)
  },
  Caddy(isRemoved) {
    const block = blockOf('caddyfile', '### Below a path').replace('example.com {', `${HOST} {`)
    if (!isRemoved) return block
    const [, proxy = ''] = /reverse_proxy @footfall (.*)^\}/ms.exec(block) ?? []
    const rest = block.replace(/ \/stats \/stats\/\*/, '')
    return rest.replace('{\n', () => `{\n  handle_path /stats/* {\n    reverse_proxy ${proxy}  }\n`)
  },
}

/** The first block of a language after a text. */
function blockOf(language: string, after = ''): string {
  const docs = fs.readFileSync('docs/install.md', 'utf8')
  const [, text = ''] = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(docs.slice(docs.indexOf(after))) ?? []
  return text
}

/** @param upstream port of the service @param text another configuration than the one for a whole host */
export async function startProxy(
  { program, language, whole, argv, authority }: Proxy,
  folder: string,
  upstream: number,
  text = blockOf(language),
) {
  const port = await freePort()
  const key = path.join(folder, `${HOST}.key`)
  const subject = ['-subj', `/CN=${HOST}`, '-addext', `subjectAltName=DNS:${HOST}`]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '30']
  execFileSync('openssl', ['req', '-x509', ...kind, ...subject, '-keyout', key, '-out', own(folder)], { stdio: 'ignore' })
  if (language === 'haproxy') fs.appendFileSync(own(folder), fs.readFileSync(key)) // it wants both in one file
  const block = text
    .replaceAll(/\/etc\/(ssl\/private|ssl|haproxy)\//g, `${folder}/`)
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${upstream}`)
    .replaceAll(/(?<=\W)443\b/g, String(port))
  const file = path.join(folder, 'config')
  fs.writeFileSync(file, `${whole(block, { folder, port })}\n`)
  const child: ChildProcess = spawn(program, argv(file, folder), {
    env: { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  process.once('exit', () => child.kill('SIGKILL'))
  let errors = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    errors = (errors + String(chunk)).slice(-4_000)
  })
  while (!(await isReady(port, authority(folder)))) {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}\n${errors}`)
    await setTimeout(50)
  }
  return { port, ca: fs.readFileSync(authority(folder), 'utf8'), errors: () => errors, close: () => endProcess(child, 'SIGTERM') }
}

/** Whether it answers with its certificate, which Caddy makes after it has begun to listen. @param authority a file */
function isReady(port: number, authority: string): Promise<boolean> {
  if (!fs.existsSync(authority)) return Promise.resolve(false)
  return new Promise(resolve => {
    const options = { host: '127.0.0.1', port, servername: HOST, ca: fs.readFileSync(authority, 'utf8') }
    const socket = tls.connect(options, () => resolve(true)).on('error', () => resolve(false))
    socket.once('secureConnect', () => socket.destroy())
  })
}
