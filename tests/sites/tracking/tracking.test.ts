/** A site's own script: its settings, its hits, the pixel, snippets, and what keeps hits from coming. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, before, test } from 'node:test'
import { load } from '../../../tools/load.mjs'
import { ts } from '../../../tools/typescript.mjs'
import { platforms, snippetFor } from '../../../operations/sites/tracking/platforms.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { faultsOf } from '../../support/replies.ts'
import { request, startService, type TestService } from '../../support/world.ts'
import { openShop, type Shop } from './shop.ts'
import { withBody } from '../../support/with-body.ts'

const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

onAnyEngine('tracking', engine => {
  let service: TestService
  let shop: Shop
  before(async () => {
    service = await startService(engine, { OUTBOUND_ALLOW_CIDRS: '127.0.0.1', TRUSTED_PROXIES: '127.0.0.1' })
    shop = await openShop(service)
  })
  after(async () => {
    await shop.close()
    await service.close()
  })
  const at = (path = '') => `/sites/${shop.site}/tracking${path}`
  const send = (path: string, body: unknown) =>
    request(service, 'POST', `/${path}`, { body, headers: { 'Content-Type': 'text/plain', 'User-Agent': chrome, 'Accept-Language': 'en' } })
  const hits = async (site = shop.site) => {
    const { number } = await service.store.read.selectFrom('sites').select('number').where('id', '=', site).executeTakeFirstOrThrow()
    const rows = await service.store.read
      .selectFrom('hits as h')
      .innerJoin('dict as d', join => join.onRef('d.site_id', '=', 'h.site_id').onRef('d.id', '=', 'h.page').on('d.dim', '=', 1))
      .select(['d.value', 'h.at'])
      .where('h.site_id', '=', number)
      .orderBy('h.at')
      .execute()
    return rows.map(({ value }) => value)
  }
  const verify = async (body: object = { url: `http://${shop.domain}/` }) => (await shop.call('POST', at('/verify'), body)).body.data
  const failed = ({ checks }: { checks: { code: string; ok: boolean }[] }) => checks.filter(({ ok }) => !ok).map(({ code }) => code)

  test('a new site has a script at a path of its own, with its settings, on every platform’s snippet', async () => {
    const { data } = (await shop.call('GET', at())).body
    assert.match(data.script_path, /^[a-z]\d[0-9a-z]{10}$/)
    assert.deepEqual([data.outbound_links, data.vitals, data.first_hit_at], [true, false, null])
    const plain = await request(service, 'GET', `/${shop.path}.js`)
    assert.equal(plain.status, 200)
    assert.match(plain.headers.get('content-type') ?? '', /javascript/)
    assert.equal(plain.headers.get('cross-origin-resource-policy'), 'cross-origin')
    assert.doesNotMatch(plain.text, /%settings%|footfall\.js|data-domain="/)
    const changed = await shop.call('PATCH', at(), {
      vitals: true,
      exclude: ['/admin/*', "/a'</script>*"],
      download_extensions: ['PDF', 'pdf'],
    })
    assert.deepEqual(changed.body.data.download_extensions, ['pdf'])
    await new Promise(resolve => setTimeout(resolve, 1_100))
    const { text } = await request(service, 'GET', `/${shop.path}.js`)
    assert.ok(text.length > plain.text.length + 2_000, 'the vitals are in it')
    assert.doesNotMatch(text, /<\/script>/)
    const textOf = async (platform: string, file: number): Promise<string> =>
      (await shop.call('GET', at(`/snippet?for=${platform}`))).body.data.files[file].content
    for (const [platform, file, name] of [
      ['nextjs', 0, 'layout.tsx'],
      ['nuxt', 0, 'nuxt.config.ts'],
      ['cloudflare', 1, 'worker.js'],
    ] as const) {
      const { diagnostics } = ts.transpileModule(await textOf(platform, file), {
        fileName: name,
        reportDiagnostics: true,
        compilerOptions: { jsx: ts.JsxEmit.Preserve },
      })
      assert.deepEqual(diagnostics, [], platform)
    }
    assert.equal(JSON.parse(await textOf('vercel', 1)).rewrites.length, 3)
    for (const platform of ['nginx', 'caddy', 'apache']) assert.match(await textOf(platform, 1), /Cookie/, platform)
    for (const platform of platforms) {
      const snippet = (await shop.call('GET', at(`/snippet?for=${platform}`))).body.data
      assert.ok(
        snippet.files.some((file: { content: string }) => file.content.includes(shop.path)),
        platform,
      )
      assert.match(snippet.csp, /^script-src ('self'|http:\/\/footfall\.test); connect-src/)
    }
  })

  test('hits count for the site of the path, whatever domain they name; an unknown path belongs to no site', async () => {
    const other = shop.world.ids.site
    assert.equal((await send(shop.path, { n: 'pageview', u: `http://${shop.domain}/a`, d: other })).text, 'ok')
    assert.deepEqual([await hits(), await hits(other)], [['/a'], []])
    assert.deepEqual((await send(shop.path, { n: 'pageview' })).status, 400)
    for (const [method, path] of [
      ['POST', 'a1bcdefghijk'],
      ['GET', 'a1bcdefghijk.js'],
      ['GET', 'a1bcdefghijk.gif'],
      ['GET', `${shop.path}.css`],
    ] as const)
      assert.equal((await request(service, method, `/${path}`, method === 'POST' ? { body: '{}' } : {})).status, 404, path)
    const options = await request(service, 'OPTIONS', `/${shop.path}`)
    assert.deepEqual([options.status, options.headers.get('access-control-allow-origin')], [204, '*'])
    assert.equal((await request(service, 'GET', '/openapi')).status, 200, 'other paths at the root are as before')
  })

  test('the pixel counts the page that shows it, or the one it names, and always answers a picture', async () => {
    service.clock.now += 60_000
    const show = (query: string, headers: Record<string, string> = {}) =>
      request(service, 'GET', `/${shop.path}.gif${query}`, { headers: { 'User-Agent': chrome, 'Accept-Language': 'en', ...headers } })
    const shown = await show('', { Referer: `http://${shop.domain}/noscript` })
    assert.deepEqual([shown.status, shown.headers.get('content-type'), shown.headers.get('cache-control')], [200, 'image/gif', 'no-store'])
    service.clock.now += 1_000
    await show(`?u=${encodeURIComponent(`http://${shop.domain}/mail/november`)}`)
    const head = await request(service, 'HEAD', `/${shop.path}.gif?u=${encodeURIComponent(`http://${shop.domain}/head`)}`, {
      headers: { 'User-Agent': chrome, 'Accept-Language': 'en' },
    })
    assert.deepEqual([head.status, head.headers.get('content-type')], [200, 'image/gif'])
    assert.deepEqual((await hits()).slice(-2), ['/noscript', '/mail/november'], 'a HEAD shows no page')
    assert.equal((await show('')).headers.get('x-footfall-dropped'), 'invalid')
    assert.equal((await show('?u=javascript:alert(1)')).status, 200)
    assert.equal((await show(`?u=http://${shop.domain}/admin/x`)).headers.get('x-footfall-dropped'), 'invalid', 'it is excluded')
    await shop.call('PATCH', at(), { respect_dnt: true, exclude: [] })
    await new Promise(resolve => setTimeout(resolve, 1_100))
    assert.equal((await show(`?u=http://${shop.domain}/x`, { 'Sec-GPC': '1' })).headers.get('x-footfall-dropped'), 'invalid')
  })

  test('a proxy without addresses of its own shows a key, and is believed whose hits it passes on', async () => {
    const plain = await startService(engine)
    const world = await openShop(plain)
    const file = async (platform: string): Promise<string> =>
      (await world.call('GET', `/sites/${world.site}/tracking/snippet?for=${platform}`)).body.data.files[1].content
    const [ask] = JSON.parse(await file('vercel')).rewrites
    const to: string = ask.destination.replace('http://footfall.test', '')
    assert.match(to, new RegExp(`^/${world.path}\\?proxy=[0-9a-f]{24}$`))
    assert.ok((await file('netlify')).includes(`${ask.source}  ${ask.destination}  200`))
    const ipOf = async (path: string, forwarded: string | undefined, target = plain) =>
      (
        await request(target, 'POST', path, {
          body: { n: 'verify', nonce: '' },
          headers: { 'User-Agent': chrome, ...(forwarded !== undefined && { 'X-Forwarded-For': forwarded }) },
        })
      ).body.ip
    assert.equal(await ipOf(to, '203.0.113.9'), '203.0.113.9')
    assert.equal(await ipOf(to, '6.6.6.6, 203.0.113.9'), '203.0.113.9', 'what the visitor claims stands before it')
    for (const nothing of [undefined, '', 'unknown']) assert.equal(await ipOf(to, nothing), '127.0.0.1')
    assert.equal(await ipOf(`/${world.path}`, '203.0.113.9'), '127.0.0.1', 'without the key')
    assert.equal(await ipOf(`${to.slice(0, -1)}x`, '203.0.113.9'), '127.0.0.1', 'with another one')
    const other = await openShop(plain)
    assert.equal(await ipOf(to.replace(world.path, other.path), '203.0.113.9'), '127.0.0.1', 'with the one of another site')

    // This service may have a proxy of its own, which adds the address of the one that shows the key.
    const behind = await openShop(service)
    const [own] = JSON.parse(
      (await behind.call('GET', `/sites/${behind.site}/tracking/snippet?for=vercel`)).body.data.files[1].content,
    ).rewrites
    assert.equal(await ipOf(own.destination.replace('http://footfall.test', ''), '203.0.113.9, 76.76.21.21', service), '203.0.113.9')
    for (const opened of [behind, other, world]) await opened.close()
    await plain.close()
  })

  test('the Worker passes script and hits on, with the visitor’s address and without cookies', async t => {
    const world = await openShop(service)
    const seen: Headers[] = []
    const outside = createServer(
      withBody(async (from, to, body) => {
        seen.push(new Headers(Object.entries(from.headers).map(([name, value]): [string, string] => [name, String(value)])))
        const answer = await service.web.request(from.url ?? '/', {
          method: from.method ?? 'GET',
          headers: seen.at(-1) ?? {},
          ...(from.method === 'POST' && { body }),
        })
        to.writeHead(answer.status, { 'Content-Type': answer.headers.get('content-type') ?? '' }).end(await answer.text())
      }),
    ).listen(0, '127.0.0.1')
    t.after(() => {
      outside.closeAllConnections()
      outside.close()
    })
    await once(outside, 'listening')
    const address = outside.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const { files } = (await world.call('GET', `/sites/${world.site}/tracking/snippet?for=cloudflare`)).body.data
    assert.equal(files[2].content, `*${world.domain}/${world.path}*`)
    const text: string = files[1].content.replace('http://footfall.test', `http://127.0.0.1:${port}`)
    const worker: { default: { fetch(request: Request): Promise<Response> } } = await load(
      `data:text/javascript;base64,${Buffer.from(text).toString('base64')}`,
    )
    const through = (path: string, init: RequestInit = {}) =>
      worker.default.fetch(
        new Request(`https://${world.domain}${path}`, { headers: { 'CF-Connecting-IP': '203.0.113.50', Cookie: 'session=1' }, ...init }),
      )
    assert.match((await through(`/${world.path}.js`)).headers.get('content-type') ?? '', /javascript/)
    const passed = await through(`/${world.path}`, { method: 'POST', body: JSON.stringify({ n: 'verify', nonce: '' }) })
    assert.deepEqual([passed.status, await passed.json()], [202, { confirmed: false, ip: '203.0.113.50' }])
    assert.deepEqual(
      seen.map(headers => headers.get('cookie')),
      [null, null],
    )
    await world.close()
  })

  test('proxy snippets do not affect other rules of the site, also under a path', () => {
    const of = (name: 'nginx' | 'caddy' | 'apache' | 'html') =>
      snippetFor({ name, baseUrl: 'https://www.example.com/stats', path: 'a2x', domain: 'example.com', key: 'key' }).files.map(
        ({ content }) => content,
      )
    // A location by prefix that keeps those by expression out, such as one for all .js files.
    assert.match(of('nginx')[1] ?? '', /^location \^~ \/a2x \{\n {2}proxy_pass https:\/\/www\.example\.com\/stats\/a2x;/)
    // By the address that was asked for, which a try_files has replaced.
    assert.match(
      of('caddy')[1] ?? '',
      /orig_uri\.path\} \/a2x \/a2x\.js \/a2x\.gif\n.*\n {2}rewrite \* \/stats\{http\.request\.orig_uri\}\n {2}reverse_proxy https:\/\/www\.example\.com \{/,
    )
    assert.match(of('apache')[1] ?? '', /"https:\/\/www\.example\.com\/stats\/\$1"/)
    assert.equal(of('apache')[2], 'RewriteRule "^/a2x(\\.js|\\.gif)?$" "-" [L]')
    // Else a picture on another host says of which site it is, and not of which page.
    assert.match(of('html')[1] ?? '', / referrerpolicy="no-referrer-when-downgrade"/)
  })

  test('a rotated path counts nothing any more, and the new one does', async () => {
    const world = await openShop(service)
    const { script_path } = (await world.call('PATCH', `/sites/${world.site}/tracking`, { rotate_script_path: true })).body.data
    assert.notEqual(script_path, world.path)
    await new Promise(resolve => setTimeout(resolve, 1_100))
    assert.equal((await send(world.path, { n: 'pageview', u: 'http://x.example/' })).status, 404)
    assert.equal((await send(script_path, { n: 'pageview', u: 'http://x.example/' })).status, 202)
    await world.close()
  })

  test('settings have bounds', async () => {
    const reply = await shop.call('PATCH', at(), {
      include: ['admin', '/a*b*c*d*'],
      exclude: Array.from({ length: 21 }, (_, i) => `/${i}`),
      download_extensions: ['p.d'],
      script_path: 'x', // read-only: it is ignored, so that what was read can be sent back
    })
    assert.deepEqual(faultsOf(reply).sort(), [
      '/download_extensions/0 invalid_format',
      '/exclude too_many_items',
      '/include/0 invalid_format',
    ])
    assert.deepEqual(faultsOf(await shop.call('PATCH', at(), { include: ['/a*b*c*d*'] })), ['/include/0 invalid_format'])
  })

  test('verification finds each fault of a page, and says what to do', async () => {
    const world = await openShop(service)
    const look = async () =>
      (await world.call('POST', `/sites/${world.site}/tracking/verify`, { url: `http://${world.domain}/` })).body.data
    // Tags of other products name no port.
    await world.call('PATCH', `/sites/${world.site}`, { aliases: [world.domain.replace(/:\d+$/, '')] })
    const tag = `<script defer src="/${world.path}.js"></script>`
    type Case = readonly [what: string, page: Partial<Shop['page']>, status: string, failed: string[]]
    const cases: readonly Case[] = [
      ['no snippet', { html: '' }, 'waiting', ['snippet_found']],
      ['all well', { html: tag }, 'waiting', []],
      ['put in by the page’s program', { html: `<link rel="preload" href="/${world.path}.js" as="script"/>` }, 'waiting', []],
      [
        'named by the page’s data',
        { html: `<script id="data" type="application/json">{"scripts":[{"src":"http:\\/\\/footfall.test\\/${world.path}.js"}]}</script>` },
        'waiting',
        [],
      ],
      ['of another file', { html: `<a href="/${world.path}.js.map">x</a>` }, 'waiting', ['snippet_found']],
      ['fetched early', { html: `<link rel="preload" href="/${world.path}.js" as="script">${tag}` }, 'waiting', []],
      ['twice', { html: tag + tag }, 'waiting', ['duplicate']],
      ['held back', { html: tag.replace('defer', 'type="text/plain" data-category="analytics"') }, 'waiting', ['consent_gate']],
      ['an older path', { html: '<script src="http://footfall.test/a1bcdefghijk.js"></script>' }, 'failing', ['wrong_domain']],
      [
        'another site',
        { html: '<script data-domain="other.example" src="http://footfall.test/js/footfall.js"></script>' },
        'failing',
        ['wrong_domain'],
      ],
      [
        'a policy',
        { html: tag, headers: { 'Content-Security-Policy': "default-src 'none'; script-src 'self'" } },
        'failing',
        ['csp_connect'],
      ],
      [
        'a policy in the page',
        { html: `<meta http-equiv="Content-Security-Policy" content="script-src https://cdn.example">${tag}` },
        'failing',
        ['csp_script'],
      ],
      [
        'Matomo’s tag, which counts here',
        { html: `<script>var _paq=[];var u="//footfall.test/";_paq.push(['setTrackerUrl',u+'matomo.php'])</script>` },
        'waiting',
        [],
      ],
      [
        'Umami’s tag, whose id the site does not have',
        {
          html: `<script data-website-id="b59e9c65-ae32-47f1-8400-119fcf4861c4" src="/a.js" data-host-url="http://footfall.test"></script>`,
        },
        'failing',
        ['wrong_domain'],
      ],
      ['Google’s tag with this address', { html: '<script async src="http://footfall.test/gtag/js?id=G-1"></script>' }, 'waiting', []],
      [
        'Google’s tag, which sends to Google',
        { html: '<script async src="https://www.googletagmanager.com/gtag/js?id=G-1"></script>' },
        'waiting',
        ['snippet_found'],
      ],
      ...Object.entries({
        'Plausible’s tag': `<script data-domain="${world.domain}" src="http://footfall.test/js/script.js"></script>`,
        'Umami’s tag': `<script data-website-id="${world.domain}" src="http://footfall.test/script.js"></script>`,
        'GoatCounter’s tag': '<script data-goatcounter="http://footfall.test/count" src="//footfall.test/count.js"></script>',
        'Fathom’s tag': '<script data-site="ABCDEFGH" src="http://footfall.test/script.js"></script>',
        'Simple Analytics’ tag': '<script src="http://footfall.test/latest.js"></script>',
        'Cloudflare’s tag': `<script src="http://footfall.test/beacon.min.js" data-cf-beacon='{"token":"x"}'></script>`,
        'PostHog’s tag': `<script>posthog.init('phc_x', {api_host: 'http://footfall.test'})</script>`,
        'Segment’s tag': `<script>analytics.load('W', {integrations: {'Segment.io': {apiHost: 'footfall.test/v1'}}})</script>`,
        'RudderStack’s tag': `<script>rudderanalytics.load('W', 'http://footfall.test')</script>`,
      }).map(([what, html]): Case => [`${what}, which counts here`, { html }, 'waiting', []]),
      ['an error', { html: tag, status: 500 }, 'failing', ['http_status']],
      ['a proxy that does not say for whom', { html: tag, forwarded: undefined }, 'failing', ['proxy_address']],
      [
        'a script that is not there',
        { html: `<script src="/elsewhere/${world.path}.js"></script>` },
        'failing',
        ['script_reachable', 'endpoint_reachable'],
      ],
    ]
    for (const [what, change, status, codes] of cases) {
      Object.assign(world.page, { html: '', headers: {}, status: 200, forwarded: '203.0.113.9' }, change)
      const found = await look()
      assert.deepEqual([found.status, failed(found)], [status, ['recent_hit', ...codes]], what)
      assert.ok(
        found.checks.every(({ ok, remedy }: { ok: boolean; remedy: string | null }) => ok === (remedy === null)),
        what,
      )
    }
    await world.close()
    assert.deepEqual(failed(await look()), ['recent_hit', 'http_status'], 'a site that is away')
  })

  test('a script that a tag manager loads confirms the nonce; then it works, as it does after a hit', async () => {
    const world = await openShop(service)
    const look = async () =>
      (await world.call('POST', `/sites/${world.site}/tracking/verify`, { url: `http://${world.domain}/` })).body.data
    const first = await look()
    assert.equal(first.status, 'waiting')
    const nonce = new URL(first.verify_url).searchParams.get('footfall_verify')
    assert.equal((await look()).verify_url, first.verify_url, 'asking again keeps it')
    assert.equal((await send(world.path, { n: 'verify', nonce: 'f'.repeat(32) })).body.confirmed, false)
    assert.equal((await send(shop.path, { n: 'verify', nonce })).body.confirmed, false, 'of another site')
    assert.equal((await look()).status, 'waiting')
    assert.equal((await send(world.path, { n: 'verify', nonce })).body.confirmed, true)
    const confirmed = await look()
    assert.deepEqual([confirmed.status, failed(confirmed)], ['working', ['recent_hit']], 'it need not be in the HTML')
    assert.deepEqual(await hits(world.site), [])
    service.clock.now += 25 * 3_600_000
    assert.equal((await look()).status, 'waiting')
    assert.equal((await send(world.path, { n: 'verify', nonce })).body.confirmed, false, 'it is over')
    await send(world.path, { n: 'pageview', u: `http://${world.domain}/` })
    assert.equal((await look()).status, 'working')
    await world.close()
  })

  test('only pages of the site are looked at', async () => {
    for (const url of ['https://example.org/', 'ftp://127.0.0.1/', `http://user:pw@${shop.domain}/`, 'http://169.254.169.254/']) {
      assert.deepEqual(faultsOf(await shop.call('POST', at('/verify'), { url })), ['/url mismatch'], url)
    }
    assert.equal((await verify()).checks[0].code, 'recent_hit')
  })
})
