/** The files for PHP and Python, run as a site uses them, against the running service. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { type SetUp, setUp } from '../../../operations/service/setup/set-up.ts'
import { creationServices } from '../../../scripts/machine.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { fastFolder } from '../../support/files.ts'
import { noonZone } from '../../support/noon-zone.ts'
import { portOf, type ServiceProcess, startProcess } from '../../support/process.ts'
import { withBody } from '../../support/with-body.ts'

const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

const phpSite = `<?php
require '${path.resolve('integrations/php/footfall.php')}';
$footfall = new Footfall(getenv('FOOTFALL'), getenv('SITE'), getenv('TOKEN'), addressHeader: 'x-real-ip', include: fn($path) => $path !== '/admin', maxSeconds: 300);
$footfall->countPage();
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if ($path === '/buy') $footfall->track('Purchase', ['revenue' => ['amount' => 29, 'currency' => 'EUR'], 'props' => ['plan' => "pr\\xc3\\xb6"]]);
if ($path === '/gone') http_response_code(404);
if ($path === '/a.json') header('Content-Type: application/json');
echo '<p>x';
`
const pythonSite = (serve: string) => `
import os, sys, threading
from footfall import Footfall
footfall = Footfall(os.environ['FOOTFALL'], os.environ['SITE'], os.environ['TOKEN'], address_header='x-real-ip', include=lambda path: path != '/admin')
def answer(path, calls):
    if path == '/buy': calls.track('Purchase', revenue={'amount': 29, 'currency': 'EUR'}, props={'plan': 'prö'})
    return '404 Gone' if path == '/gone' else '200 OK', 'application/json' if path == '/a.json' else 'text/html; charset=utf-8'
${serve}
threading.Thread(target=server.serve_forever, daemon=True).start()
print('at', server.server_port, file=sys.stderr, flush=True)
sys.stdin.read()
footfall.flush()
`
const wsgi = `
from wsgiref.simple_server import make_server
def app(environ, start_response):
    status, kind = answer(environ['PATH_INFO'], environ['footfall'])
    start_response(status, [('Content-Type', kind)])
    return [] if environ['REQUEST_METHOD'] == 'HEAD' else [b'<p>x']
server = make_server('127.0.0.1', 0, footfall.wsgi(app))
`
/** A server for ASGI in few lines: the standard library has none. */
const asgi = `
import asyncio
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
async def app(scope, receive, send):
    status, kind = answer(scope['path'], scope['footfall'])
    await send({'type': 'http.response.start', 'status': int(status[:3]), 'headers': [(b'content-type', kind.encode())]})
    await send({'type': 'http.response.body', 'body': b'<p>x'})
counted = footfall.asgi(app)
class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        path, _, query = self.path.partition('?')
        headers = [(name.lower().encode(), value.encode()) for name, value in self.headers.items()]
        scope = {'type': 'http', 'method': self.command, 'scheme': 'http', 'path': path, 'query_string': query.encode(), 'headers': headers}
        async def send(message):
            if message['type'] == 'http.response.start': self.send_response(message['status']); self.end_headers()
            elif self.command != 'HEAD': self.wfile.write(message['body'])
        asyncio.run(counted({**scope, 'client': self.client_address}, None, send))
    do_HEAD = do_GET
server = ThreadingHTTPServer(('127.0.0.1', 0), Handler)
`

/** Programs whose service does not run, with hits that cannot be sent. They print the errors that they received. */
const phpErrors = `<?php
require '${path.resolve('integrations/php/footfall.php')}';
$said = [];
$footfall = new Footfall('http://127.0.0.1:9', 'pa_x', 'x', onError: function ($message) use (&$said) { $said[] = $message; throw new Error('of the host'); });
$footfall->track('nan', ['props' => ['n' => NAN]]);
$footfall->track('large', ['title' => str_repeat('x', 60000)]);
$footfall->track('when', ['timestamp' => []]);
$footfall->track('A', ['url' => "/\\xff"]);
$footfall->flush();
try { new Footfall('https://footfall.example.com', '', 'x'); } catch (InvalidArgumentException $error) { $said[] = $error->getMessage(); }
echo json_encode($said);
`
const pythonErrors = `
import json
from footfall import Footfall
said = []
def failed(message):
    said.append(message)
    raise ValueError('of the host')
footfall = Footfall('http://127.0.0.1:9', 'pa_x', 'x', on_error=failed)
footfall.track('nan', props={'n': float('nan')})
footfall.track('large', title='x' * 60000)
footfall.track('when', timestamp=[])
footfall.track('A', url='/\\udcff')
footfall.close()
try: Footfall('https://footfall.example.com', '', 'x')
except TypeError as error: said.append(str(error))
print(json.dumps(said))
`

const python = { program: 'python3', env: { PYTHONPATH: path.resolve('integrations/python'), PYTHONDONTWRITEBYTECODE: '1' } }
const php = { program: 'php', env: {} }
const languages = {
  PHP: { ...php, site: phpSite, args: (file: string) => ['-S', '127.0.0.1:0', file], errors: phpErrors },
  'PHP without curl': {
    ...php,
    site: phpSite,
    args: (file: string) => ['-d', 'disable_functions=curl_init', '-S', '127.0.0.1:0', file],
    errors: phpErrors,
  },
  'Python with WSGI': { ...python, site: pythonSite(wsgi), args: (file: string) => [file], errors: pythonErrors },
  'Python with ASGI': { ...python, site: pythonSite(asgi), args: (file: string) => [file], errors: pythonErrors },
}

onAnyEngine('Servers in other languages', engine => {
  let database: Awaited<ReturnType<typeof engine.create>>
  let service: ServiceProcess
  const folder = fs.mkdtempSync(path.join(fastFolder(), 'languages-'))
  const sites = new Map<string, SetUp>()

  before(async () => {
    database = await engine.create()
    for (const [i, name] of Object.keys(languages).entries()) {
      const wanted = { email: 'a@example.com', workspace: 'A', site: `${i}.example.com`, timezone: noonZone() }
      sites.set(name, await setUp(database.store, wanted, await creationServices()))
    }
    service = await startProcess(database.url)
  })
  after(async () => {
    await service?.end('SIGTERM')
    await database?.drop()
    fs.rmSync(folder, { recursive: true })
  })

  for (const [name, { program, env, site, args, errors }] of Object.entries(languages)) {
    const skip = spawnSync(program, ['--version']).error !== undefined && `${program} is not installed`

    test(`${name}: counts pages that were shown and events, by visitor, each once though an answer was lost`, { skip }, async () => {
      const { site_id, token } = sites.get(name) ?? assert.fail()
      const between = await losingOne(service.address)
      const file = path.join(folder, `${program}-${name.length}`)
      fs.writeFileSync(file, site)
      const child = spawn(program, args(file), {
        env: { ...process.env, ...env, FOOTFALL: between.address, SITE: site_id, TOKEN: token },
        stdio: ['pipe', 'ignore', 'pipe'],
      })
      const port = await portOf(child)
      const visit = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
        new Promise((done, failed) => {
          const given = { Accept: 'text/html', 'User-Agent': chrome, 'Accept-Language': 'de-DE,de;q=0.9', 'X-Real-IP': '81.2.69.160' }
          http
            .get({ port, host: '127.0.0.1', path: url, method, agent: false, headers: { ...given, ...headers } }, answer =>
              answer.resume().on('end', done),
            )
            .on('error', failed)
        })
      await visit('/first?utm_source=mail', { Referer: 'https://www.google.com/' })
      for (const url of ['/gone', '/a.json', '/admin']) await visit(url)
      await visit('/ahead', { 'Sec-Purpose': 'prefetch;prerender' })
      await visit('/frame', { 'Sec-Fetch-Dest': 'iframe' })
      await visit('/head', {}, 'HEAD')
      await visit('/buy', { 'X-Real-IP': '1.2.3.4, [2001:db8::1]:443' })
      const ended = once(child, 'exit')
      if (program === 'php') child.kill('SIGINT')
      else child.stdin.end()
      await ended
      between.close()

      assert.deepEqual(between.keys.length, new Set(between.keys).size + 1)
      const read = async (what: string): Promise<any> =>
        (await (await fetch(`${service.address}/sites/${site_id}/${what}`, { headers: { Authorization: `Bearer ${token}` } })).json()).data
      const rows = async (dimension: string) =>
        (await read(`breakdown/${dimension}.json?period=today`)).rows.map((row: any) => [row.value, row.visitors]).sort()
      assert.deepEqual(await rows('page'), [
        ['/buy', 1],
        ['/first', 1],
      ])
      assert.deepEqual(await rows('event'), [['Purchase', 1]])
      assert.deepEqual(await rows('property:plan'), [['prö', 1]])
      assert.deepEqual((await rows('utm_source')).at(-1), ['mail', 1])
      assert.deepEqual(await rows('language'), [['de', 2]])
      const { visitors, pageviews } = (await read('stats/aggregate.json?period=today')).metrics
      assert.deepEqual([visitors, pageviews], [2, 2])
    })

    test(`${name}: never throws into the program, and says what was lost`, { skip }, () => {
      const file = path.join(folder, `${program}-errors-${name.length}`)
      fs.writeFileSync(file, errors)
      const flags = args(file).filter(word => word !== '-S' && word !== '127.0.0.1:0')
      const { stdout, stderr } = spawnSync(program, flags, { env: { ...process.env, ...env }, encoding: 'utf8' })
      assert.equal(stderr, '')
      const said: string[] = JSON.parse(stdout)
      const expected = [
        /^Footfall: .*n/i,
        /a hit is too large; hits that are lost: 1$/,
        /^Footfall: /,
        /cannot be reached, .*; hits that are lost: 1$/,
        /needs site$/,
      ]
      assert.equal(said.length, expected.length, stdout)
      for (const [i, pattern] of expected.entries()) assert.match(said[i]!, pattern)
    })
  }
})

/** Forwards to the service, and loses its first answer. */
async function losingOne(address: string) {
  const keys: unknown[] = []
  const server = http
    .createServer(
      withBody(async (incoming, response, body) => {
        keys.push(incoming.headers['idempotency-key'])
        const { authorization = '', 'content-type': type = '', 'idempotency-key': key = '' } = incoming.headers
        const headers = { Authorization: authorization, 'Content-Type': type, 'Idempotency-Key': String(key) }
        const answer = await fetch(address + incoming.url, { method: 'POST', headers, body })
        const text = await answer.text()
        if (keys.length === 1) return incoming.socket.destroy()
        response.writeHead(answer.status).end(text)
      }),
    )
    .listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, keys, close: () => server.close() }
}
