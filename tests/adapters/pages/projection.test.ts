/** Every operation of the table as a page, none by name. */
import assert from 'node:assert/strict'
import { auditRefused } from '../../../runtime/call/audit-entry.ts'
import { randomBytes } from '../../support/chance.ts'
import { shownWith } from '../../../runtime/table/schema.ts'
import { after, before, test } from 'node:test'
import type { TSchema } from '@sinclair/typebox'
import { labelOf } from '../../../runtime/ui/operation-labels.ts'
import { Control } from '../../../runtime/ui/fields/control.tsx'
import { spotsOf } from '../../../adapters/pages/page-tree.ts'
import { hasForm, hasPage } from '../../../adapters/surfaces.ts'
import { filled } from '../../../runtime/ui/words.ts'
import { table } from '../../../operations/index.ts'
import type { NamedOperation } from '../../../runtime/table/table.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { someOf } from '../../support/full.ts'
import {
  callHttp,
  fill,
  makeWorld,
  ownPage,
  type Reply,
  request,
  startService,
  type TestService,
  tokenOf,
  type World,
} from '../../support/world.ts'
import { sendTraffic } from './traffic.ts'

const rows = [...table.operations.values()]
const pages = rows.filter(hasPage)
const forms = rows.filter(hasForm)
const form = (fields: Readonly<Record<string, string>>) => String(new URLSearchParams(fields))

test('every form is offered on a page', () => {
  const { spotOf } = spotsOf(table)
  assert.deepEqual(
    forms.filter(({ id }) => !spotOf.has(id)).map(({ id }) => id),
    [],
  )
  assert.ok(pages.length > 40 && forms.length > 40, `${pages.length} pages, ${forms.length} forms`)
})

test('a button says what it does in four words', () => {
  const long = forms.map(each => labelOf(each, { locale: 'en' })).filter(label => label.split(' ').length > 4)
  assert.deepEqual(long, [])
})

test('every input has a control that is called by its pointer', () => {
  for (const { id, input, secrets } of [...forms, ...pages]) {
    for (const [name, schema] of Object.entries<TSchema>(input.properties)) {
      const control = Control({
        pointer: `/${name}`,
        name,
        schema,
        value: schema.default,
        form: {
          faults: [],
          choices: new Map(),
          secrets,
          timezone: 'UTC',
          locale: 'en',
          currency: 'EUR',
          isChange: false,
          described: text => text,
        },
      })
      assert.match(String(control), new RegExp(`<(input|select|textarea)[^>]* name="/${name}["/]`), `${id} ${name}`)
    }
  }
})

/** Without the key of its answer, which is random. */
const leadsTo = ({ headers }: Reply): string | undefined => headers.get('location')?.replace(/&result=[\w-]+$/, '')

/** Fields that the form leaves to the page of the record, which has controls of its own for them. */
const changedElsewhere: Readonly<Record<string, readonly string[]>> = {
  sso_update: ['withdraw_former_cert'], // offered while there are two certificates
  // parsed requests are for programs
  crawler_requests_create: ['requests'],
  dashboards_update: ['cards'],
  // named periods
  traffic_rules_apply: ['from', 'to'],
  visits_erase: ['from', 'to'],
}

onAnyEngine('Pages of operations', engine => {
  let service: TestService
  let world: World
  let session: string
  before(async () => {
    service = await startService(engine)
    world = await makeWorld(service)
    session = world.shown.session ?? assert.fail('the example world has no session')
  })
  after(() => service.close())
  const open = (path: string, token: string | undefined = session): Promise<Reply> =>
    request(service, 'GET', path, { token, headers: { Accept: 'text/html,*/*;q=0.8' } })
  const submit = (path: string, fields: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = ownPage) =>
    request(service, 'POST', path, {
      token: session,
      body: form(fields),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html', ...headers },
    })
  const follow = ({ status, headers, text }: Reply) => {
    assert.equal(status, 303, text.slice(0, 2_000))
    return open(headers.get('location') ?? assert.fail('it leads nowhere'))
  }
  const addressOf = (row: NamedOperation, input: Readonly<Record<string, unknown>>): string => {
    const query = Object.entries(input).filter(([name]) => !Object.hasOwn(row.pathInput, name))
    const path = filled(row.path, Object.fromEntries(Object.keys(row.pathInput).map(name => [name, String(input[name])])))
    return `${path}?${new URLSearchParams(query.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]))}`
  }

  test('every read answers a browser with a page, and with the status that a program gets; every link that sorts leads to a page', async () => {
    const links = new Set<string>()
    for (const row of pages) {
      for (const example of row.examples) {
        const input = fill(example.input, world)
        const [page, json] = [await open(addressOf(row, input)), await callHttp(service, row, input, tokenOf(world, row))]
        assert.equal(page.status, json.status, `${row.id}: ${page.text.slice(0, 200)}`)
        assert.match(page.headers.get('content-type') ?? '', /^text\/html/, row.id)
        assert.match(page.headers.get('content-security-policy') ?? '', /script-src 'self'; style-src 'self'/, row.id)
        assert.doesNotMatch(page.text, / style="|<script(?![^>]* src=)|\bundefined\b|\[object /, row.id)
        assert.equal(page.text.match(/<h1/g)?.length, 1, row.id)
        for (const [, href = ''] of page.text.matchAll(/ href="([^"]*[?;]sort=[^"]*)"/g)) links.add(href.replaceAll('&amp;', '&'))
      }
    }
    assert.ok(links.size > 10, `${links.size} links`)
    for (const href of someOf([...links], 12)) assert.equal((await open(href)).status, 200, href)
  })

  test('a page asks for a missing choice instead of showing an error', async () => {
    for (const path of [`/sites/${world.ids.site}/experiments`, `/workspaces/${world.ids.workspace}/search`]) {
      const { status, text } = await open(path)
      assert.equal(status, 200, path)
      assert.doesNotMatch(text, /role="alert"/, path)
    }
    assert.equal((await open(`/sites/${world.ids.site}/experiments?property=`)).status, 200)
    assert.equal((await open(`/sites/${world.ids.site}/experiments?period=never`)).status, 422)
    const early = await open(`/sites/${world.ids.site}/experiments?period=7d`)
    assert.equal(early.status, 200, 'a period may be chosen first')
    assert.doesNotMatch(early.text, /role="alert"/)
    assert.match(early.text, /<input type="hidden" name="period" value="7d"/)
    assert.equal((await open(`/sites/${world.ids.site}/experiments?period=7d&property=variant`)).status, 422)
  })

  test('the navigation fits a window and marks where the page is; settings are tabs behind one entry', async () => {
    const shown = async (path: string) => {
      const { text } = await open(`/sites/${world.ids.site}${path}`)
      const [menu = ''] = /<header id="menu"[^]*?<\/header>/.exec(text) ?? []
      const rows = menu.match(/<li>|<h2>/g)?.length ?? 0
      assert.ok(rows <= 28, `${path}: ${rows} rows`)
      const named = (html: string) =>
        [...html.matchAll(/aria-current="page">(?:<svg[^]*?<\/svg>)?(?:<span>)?([^<]*)/g)].map(([, name]) => name)
      const tabs = [...text.matchAll(/<nav class="tab-bar"[^]*?<\/nav>/g)].map(([html]) => named(html)[0])
      return { entries: named(menu), tabs }
    }
    assert.deepEqual(await shown('/overview'), { entries: ['Overview'], tabs: [] })
    assert.deepEqual(await shown('/goals'), { entries: ['Goals'], tabs: [] })
    assert.deepEqual(await shown('/breakdown/page'), { entries: ['Pages'], tabs: [] })
    assert.deepEqual(await shown('/campaigns/report'), { entries: ['Campaigns'], tabs: ['Campaign results'] })
    assert.deepEqual(await shown('/tracking/snippet'), { entries: ['Site settings'], tabs: ['Snippet', 'Snippet'] })
    assert.deepEqual(await shown('/imports'), { entries: ['Site settings'], tabs: ['Imports and exports', 'Imports'] })
    assert.deepEqual(await shown(''), { entries: ['Site settings'], tabs: ['General'] })
  })

  test('period, comparison and filters go along to every page of the site but its settings, and pages without them ignore them', async () => {
    const { site, goal } = world.ids
    const at = `/sites/${site}`
    const filters = JSON.stringify([['country', 'is', 'DE']])
    const menuOf = async (path: string) => {
      const { status, text } = await open(path)
      assert.equal(status, 200, path)
      const html = /<header id="menu"[^]*?<\/header>/.exec(text)?.[0] ?? assert.fail('no menu')
      const tabs = /<nav class="tab-bar"[^]*?<\/nav>/.exec(text)?.[0] ?? ''
      const links = [...(html + tabs).matchAll(/href="(\/sites\/[^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'))
      return { text, links: links.filter(href => href.startsWith(`${at}/`)) }
    }
    const addresses: readonly Readonly<Record<string, string>>[] = [
      { period: 'last_week', compare: 'previous_period', filters },
      { period: 'custom', from: '2026-02-01', to: '2026-02-20', compare: 'custom', compare_from: '2026-01-01', compare_to: '2026-01-20' },
      { period: 'all', interval: 'quarter', include_imported: 'false', segment_id: String(world.ids.segment) },
    ]
    for (const query of addresses.map(kept => String(new URLSearchParams(kept)))) {
      const { links } = await menuOf(`${at}/overview?${query}&metric=visits`)
      assert.ok(links.length > 20, String(links.length))
      for (const href of links) {
        assert.ok(href.endsWith(`?${query}`), href)
        const passed = (await menuOf(href)).links // answers 200
        assert.deepEqual(
          passed.filter(each => !each.endsWith(`?${query}`)),
          [],
          href,
        )
      }
      const { links: fromGoals, text } = await menuOf(`${at}/goals?${query}`)
      assert.ok(fromGoals.includes(`${at}/breakdown/page?${query}`))
      assert.ok(text.includes(`href="${at}/goals/${goal}?${query.replaceAll('&', '&amp;')}"`), 'its records pass them on, too')
      assert.ok((await menuOf(`${at}/goals/${goal}?${query}`)).links.includes(`${at}/breakdown/page?${query}`))
    }
    const insights = async (query: string) => (await open(`${at}/insights?${query}`)).text.replace(/[^]*<main/, '')
    assert.match(await insights('period=last_week'), /Last week/)
    assert.doesNotMatch(
      await insights('period=all'),
      /<summary[^>]*>[^]*?All time[^]*?<\/summary>/,
      'it does not say a period that it has not',
    )
    assert.equal((await open(`${at}/insights?period=never`)).status, 422)
    assert.equal((await open(`${at}/insights?fitlers=1`)).status, 422)
  })

  test('a form that is sent, or has faults, leads on over the same period with the same filters', async () => {
    const at = `/sites/${world.ids.site}`
    const query = String(new URLSearchParams({ period: 'last_week', filters: JSON.stringify([['country', 'is', 'DE']]) }))
    const { text } = await open(`${at}/goals?${query}&do=goals_create`)
    const page = /name="_page" value="([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? assert.fail('no page')
    const faulty = await submit(`${at}/goals`, { _page: page, '/name': '' })
    assert.equal(faulty.status, 422)
    assert.ok(faulty.text.includes(`href="${at}/breakdown/page?${query.replaceAll('&', '&amp;')}"`))
    assert.equal(/name="_page" value="([^"]*)"/.exec(faulty.text)?.[1]?.replaceAll('&amp;', '&'), page)
    const sent = await submit(`${at}/goals`, { _page: page, '/kind': 'page', '/path': '/kept' })
    assert.equal(sent.status, 303)
    const to = new URL(sent.headers.get('location') ?? '', 'http://a')
    assert.match(to.pathname, /\/goals\/goal_\w+$/)
    assert.ok(to.search.startsWith(`?${query}`), to.search)
  })

  test('the menu of sites keeps the report, the period and filters, but no segment, and leads to no other address', async () => {
    const { site, workspace } = world.ids
    const filters = JSON.stringify([['country', 'is', 'DE']])
    const query = new URLSearchParams({ period: '7d', filters, segment_id: String(world.ids.segment) })
    const { text } = await open(`/sites/${site}/breakdown/page?${query}`)
    const list = /data-list="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? assert.fail('no menu of sites')
    const kept = new URLSearchParams({ period: '7d', filters })
    assert.equal(new URL(list, 'http://a').searchParams.get('switch'), `breakdown/page?${kept}`)
    const menu = (await open(list)).text
    assert.ok(menu.includes(`href="/sites/${site}/breakdown/page?${String(kept).replaceAll('&', '&amp;')}"`), menu.slice(0, 3_000))
    for (const to of ['../../account', '/evil.example', '', '//evil.example/']) {
      const page = (await open(`/workspaces/${workspace}/sites?${new URLSearchParams({ switch: to })}`)).text
      const links = /<ul class="switch-list">.*?<\/ul>/s.exec(page)?.[0] ?? assert.fail('no sites')
      for (const [, href = ''] of links.matchAll(/href="([^"]*)"/g)) assert.match(href, /^\/sites\/pa_\w+\/(?!\.)/)
    }
    assert.doesNotMatch((await open(`/sites/${site}/funnels/${world.ids.funnel}`)).text, /switch=funnels%2Ffn_/)
  })

  test('results of a check are shown, and a record that a search finds by name is marked and linked', async () => {
    const checked = await follow(await submit(`/sites/${world.ids.site}/tracking/verify`, {}))
    assert.doesNotMatch(checked.text, /Do it again/)
    assert.match(checked.text, /<h1>Check the tracking<\/h1>/)
    assert.match(checked.text, /class="checks"/)
    const { text } = await open(`/workspaces/${world.ids.workspace}/search?q=sign`)
    assert.match(text, /<mark>Sign<\/mark>/i)
    assert.doesNotMatch(text, /href="[^"]*\{/)
    assert.doesNotMatch(text, /name="site_id"/, 'the workspace is not shown as a site')
    assert.match((await open(`/workspaces/${world.ids.workspace}/search?q=zzqzz`)).text, /Nothing is called like/)
    const asked = await open(`/workspaces/${world.ids.workspace}/search?q=how+many+visitors&site_id=${world.ids.site}`)
    assert.match(
      asked.text,
      new RegExp(`<a href="/sites/${world.ids.site}/ask\\?do=\\w+&amp;question=how\\+many\\+visitors">Ask: how many visitors</a>`),
    )
    assert.doesNotMatch((await open(`/workspaces/${world.ids.workspace}/search?q=how&site_id=${world.ids.site}`)).text, />Ask: /)
  })

  test('a list leads to its records themselves, to what belongs to it, and to a page of a row without an id', async () => {
    const alerts = await open(`/workspaces/${world.ids.workspace}/alerts`)
    assert.match(alerts.text, new RegExp(`href="/alerts/${world.ids.alert}"`))
    const alert = await open(`/alerts/${world.ids.alert}`)
    assert.match(alert.text, new RegExp(`href="/alerts/${world.ids.alert}/history"`))
    const crawlers = `/sites/${world.ids.site}/crawlers`
    const { text } = await open(crawlers)
    for (const way of ['/pages', '/robots', '/detail?name=GPTBot']) assert.ok(text.includes(`href="${crawlers}${way}"`), way)
  })

  test('a page without a session leads to the sign-in, and back', async () => {
    const path = `/sites/${world.ids.site}/goals?per_page=5`
    const { status, headers } = await request(service, 'GET', path, { headers: { Accept: 'text/html' } })
    assert.deepEqual([status, headers.get('location')], [303, `/sign-in?${new URLSearchParams({ next: path })}`])
  })

  test('the bare address leads to the only site, or to the list of sites', async () => {
    const home = async () => {
      const { status, headers } = await open('/')
      return [status, headers.get('location')]
    }
    assert.deepEqual(await home(), [303, `/sites/${world.ids.site}/overview`])
    const domain = 'second.example.com'
    const as = { token: world.token, headers: { 'Content-Type': 'application/json' } }
    const made = await request(service, 'POST', `/workspaces/${world.ids.workspace}/sites`, { ...as, body: JSON.stringify({ domain }) })
    assert.equal(made.status, 201, made.text)
    assert.deepEqual(await home(), [303, `/workspaces/${world.ids.workspace}/sites`])
    const { id } = (JSON.parse(made.text) as { data: { id: string } }).data // as the API answers
    const gone = await request(service, 'DELETE', `/sites/${id}`, { ...as, body: JSON.stringify({ confirm: domain }) })
    assert.equal(gone.status, 200, gone.text)
  })

  test('a page below a record leads up to it, wherever its own page is', async () => {
    const { workspace, status_page, status_incident } = world.ids
    const { text } = await open(`/status_pages/${status_page}/incidents/${status_incident}`)
    const above = /<nav class="crumbs"[^]*?<\/nav>/.exec(text)?.[0] ?? ''
    assert.deepEqual(
      [...above.matchAll(/href="([^"]+)"/g)].map(([, href]) => href),
      [
        `/workspaces/${workspace}/status_pages`,
        `/workspaces/${workspace}/status_pages/${status_page}`,
        `/status_pages/${status_page}/incidents`,
      ],
    )
  })

  test('programs with a token are answered as before, whatever they accept', async () => {
    const { headers } = await request(service, 'GET', `/sites/${world.ids.site}`, { token: world.token, headers: { Accept: 'text/html' } })
    assert.match(headers.get('content-type') ?? '', /json/)
  })

  test('a form of every write is shown, and sent empty it is done or says what is missing', async () => {
    const { spotOf } = spotsOf(table)
    let seen = 0
    for (const row of forms) {
      const spot = spotOf.get(row.id)
      const input = fill(row.examples[0]?.input ?? {}, world)
      const parameter = spot?.rowDoes.find(({ operation }) => operation === row)?.parameter
      const path = addressOf(
        spot?.operation ?? row,
        Object.fromEntries(Object.entries(input).filter(([name]) => Object.hasOwn(row.pathInput, name))),
      )
      const address = `${path.split('?')[0]}?do=${row.id}${parameter === undefined ? '' : `&${parameter}=${String(input[parameter])}`}`
      const page = await open(address)
      if (row.undoes !== undefined) {
        // What is deleted has no page: the list of deleted records offers to restore it.
        assert.equal(page.status, 404, `${row.id} ${address}`)
        const { text } = await open(`/workspaces/${world.ids.workspace}/deleted`)
        assert.ok(text.includes(`action="${addressOf(row, input).replace(/\?.*/, '')}"`), row.id)
        const deleting = table.operations.get(row.undoes) ?? assert.fail(row.undoes)
        const kept = await open(addressOf(deleting, fill(deleting.examples[0]?.input ?? {}, world)))
        assert.doesNotMatch(kept.text, new RegExp(`do=${row.id}"`), 'what is there is not to be restored')
        continue
      }
      assert.equal(page.status, spot?.operation.path === '/' ? 303 : page.status === 422 ? 422 : 200, `${row.id} ${address}`)
      if (parameter !== undefined) assert.doesNotMatch(page.text, /has no option/, row.id)
      if (!page.text.includes('id="doing"')) continue // not in a state in which it is offered
      seen++
      for (const [name, schema] of Object.entries<TSchema>(row.input.properties)) {
        if (changedElsewhere[row.id]?.includes(name)) continue
        if (schema.type === 'boolean' && schema.default === true && row.effect === 'create') continue // a layout may leave a new record switched on
        const only = schema[shownWith]
        if (only && !Object.hasOwn(row.input.properties, only.field)) continue // by what the record is
        // A form asks only for what the chosen kind takes.
        const texts = only
          ? await Promise.all(only.values.map(async value => (await open(`${address}&${only.field}=${value}`)).text))
          : [page.text]
        assert.ok(
          texts.some(text => new RegExp(` name="/${name}["/]`).test(text)),
          `${row.id} ${name}`,
        )
      }
      if (row.effect === 'delete' || !row.input.required?.some((name: string) => row.input.properties[name]?.default === undefined))
        continue
      const { status, text } = await submit(
        addressOf(row, Object.fromEntries(Object.keys(row.pathInput).map(name => [name, input[name]]))).replace(
          '?',
          `?_method=${row.method}`,
        ),
        {},
      )
      assert.equal(status, 422, row.id)
      assert.match(text, /class="faults" role="alert"/, row.id)
      assert.match(text, /aria-invalid="true"|<span class="fault"/, row.id)
    }
    assert.ok(seen > 35, `${seen} forms were seen`)
  })

  test('a form has only what belongs to the kind of the record, or to the chosen kind', async () => {
    const syncs = `/workspaces/${world.ids.workspace}/warehouse_syncs`
    const change = (await open(`${syncs}/${world.ids.warehouse_sync}?do=warehouse_syncs_update`)).text
    assert.match(change, /name="\/bucket"/)
    assert.ok(!change.includes('name="/host"'))
    const make = (await open(`${syncs}?do=warehouse_syncs_create`)).text
    const other = (await open(`${syncs}?do=warehouse_syncs_create&destination=postgres`)).text
    assert.deepEqual(
      [make, other].map(text => [text.includes('name="/bucket"'), text.includes('name="/host"')]),
      [
        [true, false],
        [false, true],
      ],
    )
  })

  test('what is done with a row that has no page is asked on its list, and done from there', async () => {
    const tokens = `/workspaces/${world.ids.workspace}/api_tokens`
    const made = await follow(await submit(tokens, { '/name': 'Gone soon', '/permissions': 'analytics.read' }))
    assert.match(made.text, /class="secret"/)
    const listed = (await open(tokens)).text
    const id = /Gone soon[^]*?do=api_tokens_delete&amp;id=([\w-]+)/.exec(listed)?.[1] ?? assert.fail('there is no way to delete it')
    const asked = await open(`${tokens}?do=api_tokens_delete&id=${id}`)
    assert.equal(asked.status, 200)
    assert.match(asked.text, /This concerns <b>Gone soon<\/b>\./)
    const done = await submit(`${tokens}/${id}?_method=DELETE`, {})
    assert.equal(done.status, 303)
    assert.doesNotMatch((await open(tokens)).text, /Gone soon/)
    assert.equal((await open(`${tokens}?nonsense=1`)).status, 422, 'an address is still read strictly')
  })

  test('a record tells what is set, in words: names for ids, conditions, one line of what is not set', async () => {
    const site = `/sites/${world.ids.site}`
    const campaign = await open(`${site}/campaigns/${world.ids.campaign}`)
    assert.match(campaign.text, /<dt>Goal<\/dt><dd>Signup<\/dd>/)
    assert.match(campaign.text, /<dt>Cost<\/dt><dd>€/)
    assert.match(campaign.text, /<dt>Created<\/dt>/)
    assert.match((await open(`${site}/segments/${world.ids.segment}`)).text, /<li>Country is Germany<\/li>/)
    assert.match((await open(site)).text, /<select id="f-week_start"[^>]*required[^]*?<option value="1" selected="">Monday</)
    const exported = (await open(`${site}/exports/${world.ids.export}`)).text
    assert.match(exported, /<p class="help unset">Not set: [^<]*Segment/)
    assert.doesNotMatch(exported, /<dt>Segment/)
    assert.match((await open(`${site}/crawlers/robots?block=["ai_training"]`)).text, /<pre[^>]*># ai_training\nUser-agent: /)
  })

  test('an amount is typed with its decimals, and refused where it is finer than the currency', async () => {
    const campaign = `/sites/${world.ids.site}/campaigns/${world.ids.campaign}`
    const form = (await open(`${campaign}?do=campaigns_update`)).text
    assert.match(form, />Cost<[^]*?<span class="unit"[^>]*>EUR</)
    assert.match(form, /name="\/cost_cents"[^>]* value="310"|value="310"[^>]* name="\/cost_cents"/)
    assert.equal((await submit(`${campaign}?_method=PATCH`, { '/cost_cents': '12.5' })).status, 303)
    assert.match((await open(campaign)).text, /€12\.50/)
    const fine = await submit(`${campaign}?_method=PATCH`, { '/cost_cents': '12.345' })
    assert.equal(fine.status, 422)
    assert.match(fine.text, /value="12\.345"/)
  })

  test('records are put in another order by what stands in each place', async () => {
    const rules = `/sites/${world.ids.site}/channel_rules`
    const made = await submit(rules, {
      '/channel': 'Partners',
      '/match': 'all',
      '/conditions/0/field': 'utm_source',
      '/conditions/0/operator': 'is',
      '/conditions/0/value': 'partner',
    })
    assert.equal(made.status, 303, made.text.slice(0, 2_000))
    const ids = [
      ...(await open(`${rules}?do=channel_rules_reorder`)).text.matchAll(/<select id="f-ids-\d" name="\/ids">(.*?)<\/select>/g),
    ].map(([, options = '']) => /value="(\w+)" selected/.exec(options)?.[1] ?? '')
    assert.equal(ids.length, 2)
    const body = new URLSearchParams(ids.toReversed().map(id => ['/ids', id]))
    const sent = await request(service, 'POST', `${rules}/order`, {
      token: session,
      body: String(body),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html', ...ownPage },
    })
    assert.equal(sent.status, 303, sent.text.slice(0, 2_000))
    assert.match((await open(rules)).text, /Partners[^]*Podcasts/)
  })

  test('descriptions call operations as pages do, and a change is saved', async () => {
    const { text } = await open(`/sites/${world.ids.site}/goals?do=goals_create`)
    assert.doesNotMatch(text, /stats_breakdown/)
    const change = await open(`/sites/${world.ids.site}/goals/${world.ids.goal}?do=goals_update`)
    assert.match(change.text, /<button type="submit">Save<\/button>/)
    assert.doesNotMatch(change.text, /\(optional\)/)
    const deleting = await open(`/sites/${world.ids.site}/notes/${world.ids.note}?do=notes_delete`)
    assert.match(deleting.text, /<p class="help">“Restore” undoes it/)
  })

  test('a goal is made, changed and deleted only with forms', async () => {
    const goals = `/sites/${world.ids.site}/goals`
    const made = await submit(goals, { '/kind': 'page', '/name': 'Thanks', '/path': '/thanks' })
    const at = new URL(made.headers.get('location') ?? '', 'http://footfall.test')
    assert.deepEqual([made.status, at.searchParams.get('done')], [303, 'goals_create'])
    assert.match((await open(at.pathname + at.search)).text, /Goal created\./)
    assert.match((await open(`${at.pathname}?do=goals_update`)).text, /name="\/name" value="Thanks"|value="Thanks"[^>]*/)
    const changed = await submit(`${at.pathname}?_method=PATCH`, { '/kind': 'page', '/name': 'Many thanks', '/path': '/thanks' })
    assert.deepEqual([changed.status, leadsTo(changed)], [303, `${at.pathname}?done=goals_update`])
    assert.match((await open(at.pathname)).text, /<h1>Many thanks<\/h1>/)
    assert.match((await open(`${at.pathname}?do=goals_delete`)).text, /<b>Many thanks<\/b> will be deleted. You can restore it for 30 days/)
    const gone = await submit(`${at.pathname}?_method=DELETE`, {})
    assert.deepEqual([gone.status, leadsTo(gone)], [303, `${goals}?done=goals_delete`])
    assert.equal((await open(at.pathname)).status, 404)
  })

  test('a fault stands next to its field, and what was typed is kept', async () => {
    const { status, text } = await submit(`/sites/${world.ids.site}/goals`, {
      '/kind': 'page',
      '/name': 'x'.repeat(1_500),
      '/path': 'no-slash',
    })
    assert.equal(status, 422)
    const field = /<p class="field">(?:(?!<\/p>)[^])*?name="\/name"[^]*?<\/p>/.exec(text)?.[0] ?? ''
    assert.match(field, /aria-invalid="true" aria-describedby="f-name-fault/)
    assert.match(field, /<span class="fault" id="f-name-fault">/)
    assert.match(text, /value="no-slash"/)
    assert.match(text, /<input type="radio"[^>]* value="page" checked=""/)
    assert.match(text, /href="#f-name"/)
  })

  test('nested lists of inputs are filled, and their faults found', async () => {
    const funnels = `/sites/${world.ids.site}/funnels`
    const made = await submit(funnels, {
      '/name': 'Buying',
      '/steps/0/path': '/cart',
      '/steps/0/goal_id': '',
      '/steps/1/path': '/paid',
      '/steps/2/path': '',
    })
    assert.equal(made.status, 303, made.text.slice(0, 3_000))
    const wrong = await submit(funnels, { '/name': 'Buying more', '/steps/0/path': '/cart', '/steps/1/path': 'paid' })
    assert.equal(wrong.status, 422)
    assert.match(wrong.text, /id="f-steps-1-path-fault"/)
    const segment = await submit(`/sites/${world.ids.site}/segments`, {
      '/name': 'Near',
      '/filters/0/0': 'country',
      '/filters/0/1': 'any_of',
      '/filters/0/2': 'DE, AT',
    })
    assert.equal(segment.status, 303, segment.text.slice(0, 3_000))
  })

  test('a form of another site is refused', async () => {
    const foreign = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }
    const before = await open(`/sites/${world.ids.site}/goals`)
    assert.equal((await submit(`/sites/${world.ids.site}/goals`, { '/kind': 'page', '/path': '/evil' }, foreign)).status, 403)
    assert.equal((await open(`/sites/${world.ids.site}/goals`)).headers.get('etag'), before.headers.get('etag'))
  })

  test('texts of others are shown as text, and lead nowhere but to http', async () => {
    const naughty = '<script>alert(1)</script> "\'><img src=x onerror=alert(1)> \u202Etxt'
    const goals = `/sites/${world.ids.site}/goals`
    const made = await submit(goals, { '/kind': 'page', '/name': naughty, '/path': '/x' })
    const { text } = await open((made.headers.get('location') ?? '').replace(/\?.*/, ''))
    for (const shown of [text, (await open(goals)).text, (await open(`${goals}?do="><script>alert(1)</script>&done=<b>`)).text]) {
      assert.doesNotMatch(shown, /<script>alert|<img|onerror=alert\(1\)>/)
    }
    assert.match(text, /&lt;script&gt;alert\(1\)/)
    const filtered = await open(
      `/sites/${world.ids.site}/overview?filters=${encodeURIComponent(JSON.stringify([['page', 'is', naughty]]))}`,
    )
    assert.equal(filtered.status, 200)
    assert.doesNotMatch(filtered.text, /<script>alert|<img/)
    assert.doesNotMatch(filtered.text, /href="(?!\/|#|https?:)/)
  })

  test('texts of visitors are escaped in every report', async () => {
    const busy = await makeWorld(service)
    await sendTraffic(service, busy)
    const site = `/sites/${busy.ids.site}`
    const secret = busy.shown.session ?? ''
    const reports = [
      'overview?sources=utm_campaign&goals=event',
      'breakdown/page',
      'breakdown/utm_campaign',
      'events',
      'journeys',
      'live',
      'insights',
    ]
    for (const report of reports) {
      const { status, text } = await open(`${site}/${report}`, secret)
      assert.equal(status, 200, report)
      assert.doesNotMatch(text, /<script>alert|<img src=x/, report)
      if (!/live|insights/.test(report)) assert.match(text, /&lt;script&gt;alert/, report)
    }
    const { text } = await open(`${site}/overview`, secret)
    assert.match(text, /class="headline"/)
    assert.match(text, /<rect width="100%"/)
    assert.match(text, /role="img" aria-label="Visitors, /)
  })

  test('a secret is shown again to the session that asked for it, for ten minutes, and is not in the address', async () => {
    const tokens = `/workspaces/${world.ids.workspace}/api_tokens`
    const count = async () => (await open(tokens)).text.match(/do=api_tokens_delete/g)?.length
    const made = await submit(tokens, { '/name': 'Reader', '/permissions': 'analytics.read' })
    const location = made.headers.get('location') ?? ''
    assert.equal(made.status, 303)
    assert.doesNotMatch(location + made.text, /pat_/)
    const [shown, there] = [await follow(made), await count()]
    const [secret = ''] = /pat_\w{36}/.exec(shown.text) ?? []
    assert.ok(secret)
    assert.equal(shown.headers.get('cache-control'), 'no-store')
    assert.match((await follow(made)).text, new RegExp(secret))
    assert.equal(await count(), there)
    const rows = await service.store.read.selectFrom('idempotency_keys').selectAll().execute()
    assert.ok(!JSON.stringify(rows).includes(secret.slice(4)), 'it is sealed')
    const another = await world.sessionFor('owner')
    assert.doesNotMatch((await open(location, another)).text, /pat_\w{36}|Copy this/)
    assert.equal((await open(location, 'x'.repeat(43))).status, 303)
    service.clock.now += 10 * 60_000 + 1
    const later = await open(location)
    assert.doesNotMatch(later.text, new RegExp(secret))
    assert.match(later.text, /It is not shown any more/)
  })

  test('a form that is sent twice makes one; other fields, and another drawing of it, make another', async () => {
    const tokens = `/workspaces/${world.ids.workspace}/api_tokens`
    const drawn = async () =>
      /<form method="post" action="\/workspaces[^>]*><input type="hidden" name="_key" value="([\w.-]+)"/.exec(
        (await open(`${tokens}?do=api_tokens_create`)).text,
      )?.[1] ?? ''
    const [key, other] = [await drawn(), await drawn()]
    assert.ok(key !== '' && key !== other)
    const fields = { '/name': 'Once', '/permissions': 'analytics.read' }
    const twice = await Promise.all([submit(tokens, { ...fields, _key: key }), submit(tokens, { ...fields, _key: key })])
    assert.equal(twice[0].status, 303)
    assert.equal(twice[0].headers.get('location'), twice[1].headers.get('location'))
    const count = async () => (await open(tokens)).text.match(/>Once</g)?.length
    const one = await count()
    assert.equal((await submit(tokens, { ...fields, '/permissions': 'content.write', _key: key })).status, 303)
    assert.equal((await submit(tokens, { ...fields, _key: other })).status, 303)
    assert.equal(await count(), 3 * (one ?? 0))
  })

  test('an outcome has its colour, and a running one is read again', async () => {
    const { workspace, webhook } = world.ids
    const sent = await submit(`/workspaces/${workspace}/webhooks/${webhook}/test`, {})
    const waiting = await follow(sent)
    assert.match(waiting.text, /<p class="notice" role="status">The test delivery is on its way\./)
    assert.match(waiting.text, /id="shown" data-refresh="5"/)
    const failed = { status: 'failed', error: 'connection_refused' } as const
    await service.store.write.updateTable('webhook_deliveries').set(failed).where('event', '=', 'webhook.test').execute()
    const { text } = await follow(sent)
    assert.match(text, /<p class="notice went-wrong" role="alert">The test delivery failed\. Connection refused\.<\/p>/)
    assert.doesNotMatch(text, /id="shown" data-refresh/)
    assert.doesNotMatch(
      (await open(`/workspaces/${workspace}/webhooks?done=webhooks_create`)).text,
      /Webhook created/,
      'without a code the address says nothing',
    )
  })

  test('errors are shown in words, with a request id if the fault is ours', async () => {
    const missing = await open('/nowhere')
    assert.equal(missing.status, 404)
    assert.match(missing.text, /<h1>There is nothing here<\/h1>[^]*<a href="\/">To your sites</)
    const signedOut = await request(service, 'GET', '/nowhere', { headers: { Accept: 'text/html' } })
    assert.match(signedOut.text, /<a href="\/sign-in">Sign in</)
    const foreign = await open('/sites/pa_01arz3ndektsv4rrffq69/overview')
    assert.equal(foreign.status, 404)
    const odd = await open(`/sites/${world.ids.site}/overview?period=never`)
    assert.equal(odd.status, 422)
    assert.match(odd.text, /role="alert"/)
    for (const [, id] of odd.text.matchAll(/href="#([^"]+)"/g)) assert.match(odd.text, new RegExp(` id="${id}"`), `a link to #${id}`)
    assert.match(odd.text, new RegExp(`<a href="/sites/${world.ids.site}/overview">Reset</a>`))
    for (const path of ['/favicon.ico', '/favicon.svg', '/apple-touch-icon.png', '/robots.txt'])
      assert.equal((await request(service, 'GET', path)).status, 200)
  })

  test('errors are shown in the colours and the language of the account', async () => {
    const account = (fields: object) => request(service, 'PATCH', '/account.json', { token: world.token, body: fields })
    await account({ theme: 'dark', locale: 'de' })
    for (const path of ['/nowhere', '/sites/pa_01arz3ndektsv4rrffq69/overview'])
      assert.match((await open(path)).text, /<html lang="de" data-theme="dark">[^]*<h1>Hier ist nichts<\/h1>/, path)
    await account({ theme: 'system', locale: 'en' })
    assert.match((await request(service, 'GET', '/nowhere', { headers: { Accept: 'text/html' } })).text, /<html lang="en">/)
  })

  test('a page over the rate limit says how long to wait', async () => {
    const strict = await startService(engine, { RATE_ANONYMOUS: 2 })
    const ask = () => request(strict, 'GET', '/sign-in', { headers: { Accept: 'text/html' } })
    await ask().then(ask)
    const { status, text } = await ask()
    await strict.close()
    assert.equal(status, 429)
    assert.match(text, /<p>Wait (?:\d+[ms] ?)+, then try it again\.<\/p>/)
  })

  test('a fault of ours says what to do, and its request id once', async () => {
    const broken = await startService(engine)
    const { shown, ids } = await makeWorld(broken)
    await broken.store.write.schema.dropTable('notes').execute()
    const { status, text, headers } = await request(broken, 'GET', `/sites/${ids.site}/notes`, {
      token: shown.session,
      headers: { Accept: 'text/html' },
    })
    await broken.close()
    assert.equal(status, 500)
    assert.match(text, /Try it again\. If it stays so, send the request id to the operator of this service\./)
    assert.equal(text.split(headers.get('x-request-id') ?? '-').length, 2)
  })

  test('a list of fewer than two is put in no order', async () => {
    const made = await submit(`/workspaces/${world.ids.workspace}/sites`, {
      '/domain': 'bare.example.net',
      '/timezone': 'UTC',
      '/currency': 'EUR',
    })
    const [site] = /\/sites\/\w+/.exec(made.headers.get('location') ?? '') ?? []
    const { status, text } = await open(`${site}/channel_rules?do=channel_rules_reorder`)
    assert.equal(status, 200)
    assert.doesNotMatch(text, /name="\/ids"/)
  })

  test('the audit log names what was changed, and its filter wants what an entry says', async () => {
    await submit(`/sites/${world.ids.site}/goals`, { '/name': 'Read to the end', '/kind': 'page', '/path': '/end' })
    const { text } = await open(`/workspaces/${world.ids.workspace}/audit`)
    assert.match(text, /Goal created · <b class="subject">Read to the end<\/b>/)
    assert.match(text, /<a href="[^"]*\?subject_id=goal_\w+"><code>goal_/)
    assert.doesNotMatch(text, /Only of this operation, [“"`]/)
  })

  test('the audit log does not say of a refused entry that it was done', async () => {
    for (const operation of ['oauth_token', 'sso_login', 'sessions_create']) {
      await service.store.transaction(db =>
        auditRefused(db, {
          now: service.clock.now,
          random: randomBytes,
          request: { id: 'req_refused', ip: '192.0.2.1', surface: 'http' },
          operation,
          workspaceId: world.ids.workspace ?? '',
          actor: 'unknown',
          door: 'oauth',
        }),
      )
    }
    const { text } = await open(`/workspaces/${world.ids.workspace}/audit`)
    const refused = [...text.matchAll(/<th scope="row">([^<]*) <span class="tag bad">refused<\/span>/g)].map(([, what]) => what)
    assert.deepEqual(refused.sort(), ['Give access to a client', 'Sign in', 'Sign in by single sign-on'])
  })

  test('days of a crawler are drawn, and their figures folded into the chart', async () => {
    await request(service, 'POST', `/sites/${world.ids.site}/crawlers/requests.json`, {
      token: world.token,
      body: {
        requests: [
          { at: service.clock.now - 1_000, ip: '192.0.2.1', url: '/', status: 200, user_agent: 'Mozilla/5.0 (compatible; GPTBot/1.2)' },
        ],
      },
    })
    const { text } = await open(`/sites/${world.ids.site}/crawlers/detail?name=GPTBot`)
    const [, series = ''] = /<div class="nested"><h2>Series<\/h2>([^]*?)<\/figure>/.exec(text) ?? []
    assert.match(series, /class="plot"/)
    assert.match(series, /<details>[^]*Spoofed[^]*<\/details>/)
    assert.equal(text.split('data-label="Spoofed"').length - 1, series.split('data-label="Spoofed"').length - 1, 'once')
  })

  test('an id of another product keeps its name in what is not set', async () => {
    const { text } = await open(`/sites/${world.ids.site}`)
    assert.doesNotMatch(text, /Not set:[^<]*Umami(?! ID)/)
  })

  test('a site without a hit shows what to put on its pages', async () => {
    const made = await submit(`/workspaces/${world.ids.workspace}/sites`, {
      '/domain': 'new.example.net',
      '/timezone': 'UTC',
      '/currency': 'EUR',
    })
    const site = (made.headers.get('location') ?? '').replace(/\/overview\?done=sites_create&.*$/, '')
    for (const page of ['overview', 'tracking/snippet']) {
      const { text } = await open(`${site}/${page}`)
      assert.match(text, /&lt;script defer src=&quot;http:\/\/footfall\.test\/\w+\.js&quot;/, page)
      assert.match(text, /Waiting for the first hit/, page)
      assert.match(text, /data-refresh="10"/, page)
      assert.match(text, /<noscript><meta http-equiv="refresh" content="10"\/><\/noscript>/, page)
    }
    const nginx = await open(`${site}/tracking/snippet?for=nginx`)
    assert.match(nginx.text, /aria-current="true">nginx</)
    assert.match(nginx.text, /proxy_pass/)
  })
})
