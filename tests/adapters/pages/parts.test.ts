/** Parts of pages that no view test names: the search of pages, pins, the week, the map, two segments, drafts, suggestions. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { drafted, draftIn } from '../../../adapters/pages/drafts.ts'
import { inOrder, pinnedIn, togglePin } from '../../../operations/sites/sites/pinned.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { makeWorld, request, startService, type TestService, type World } from '../../support/world.ts'
import { sendTraffic } from './traffic.ts'

onAnyEngine('Parts of pages', engine => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engine)
    world = await makeWorld(service)
    await sendTraffic(service, world)
  })
  after(() => service.close())
  const open = async (path: string): Promise<string> => {
    const { status, text } = await request(service, 'GET', path, { token: world.shown.session, headers: { Accept: 'text/html' } })
    assert.equal(status, 200, path)
    return text
  }
  const found = (q: string) =>
    open(`/workspaces/${world.ids.workspace}/search?${new URLSearchParams({ q, site_id: world.ids.site ?? '' })}`)

  test('the search leads to pages, to each setting by its other names, to the manual, and to actions on records', async () => {
    assert.match(await found('euro'), new RegExp(`href="/sites/${world.ids.site}#[^"]*currency"`))
    assert.match(await found('funnel'), new RegExp(`href="/sites/${world.ids.site}/funnels"`))
    const [mute, dark] = [await found('mute traffic'), await found('dark mode')]
    assert.match(mute, new RegExp(`href="/alerts/${world.ids.alert}\\?do=alerts_mute"[^]*?Mute: Traffic drop`))
    assert.match(dark, /<form method="post" action="\/account\?_method=PATCH"[^]*?name="theme" value="dark"[^]*?Dark mode/)
    assert.doesNotMatch(await found('mute nothing'), /Mute: /)
    const manual = await open(`/workspaces/${world.ids.workspace}/search?q=glossary`)
    assert.match(manual, /<main[^]*href="\/documentation\/glossary"/)
    assert.match(await open('/documentation/glossary'), /<h1[^>]*>Glossary/)
  })

  test('the overview has a week of seven days by hour, and a map whose countries are also rows', async () => {
    const text = await open(`/sites/${world.ids.site}/overview?period=30d&places=map`)
    const [week = ''] = /<figure class="week[^]*?<\/figure>/.exec(text) ?? []
    assert.equal(week.match(/class="heat(0|" fill-opacity="[.\d]+)"/g)?.length, 7 * 24)
    const [map = ''] = /<svg class="map"[^]*?<\/svg>/.exec(text) ?? []
    assert.equal(map.match(/class="heat" fill-opacity=/g)?.length, 2) // Germany and France
    assert.match(text, /Germany[^]*France|France[^]*Germany/)
  })

  test('a panel of which a filter leaves one value shows its parts', async () => {
    const at = async (...filters: readonly unknown[]) => {
      const text = await open(`/sites/${world.ids.site}/overview?period=30d&filters=${encodeURIComponent(JSON.stringify(filters))}`)
      return (['places', 'devices'] as const).map(name => {
        const [panel = ''] = new RegExp(`<section[^>]* id="${name}">[^]*?</section>`).exec(text) ?? []
        return /<th scope="col">([^<]*)/.exec(panel)?.[1]
      })
    }
    assert.deepEqual(await at(), ['Countries', 'Browsers'])
    assert.deepEqual(await at(['country', 'is', 'DE']), ['Regions', 'Browsers'])
    assert.deepEqual(await at(['country', 'is', ['DE']], ['browser', 'any_of', ['Firefox']]), ['Regions', 'Browser versions'])
    assert.deepEqual(await at(['country', 'any_of', ['DE', 'FR']]), ['Countries', 'Browsers'])
    assert.deepEqual(await at(['country', 'is_not', 'DE']), ['Countries', 'Browsers'])
    const tabOf = async (tab: string): Promise<string | undefined> => {
      const filters = encodeURIComponent('[["country","is","DE"]]')
      const text = await open(`/sites/${world.ids.site}/overview?period=30d&places=${tab}&filters=${filters}`)
      return /<section[^>]* id="places">.*?aria-current="true">([^<]*)</s.exec(text)?.[1]
    }
    assert.deepEqual([await tabOf('country'), await tabOf('map')], ['Regions', 'Map']) // the tab of what is shown
  })

  test('two segments are compared in one page, figure by figure', async () => {
    const text = await open(`/sites/${world.ids.site}/overview?period=30d&segment_id=${world.ids.segment}&beside=all`)
    assert.match(text, /class="card two-choices"/)
    assert.match(text, /<select[^>]*name="beside"/)
  })

  test('values are suggested from the data, most frequent first, and a field without scripts is typed', async () => {
    const text = await open(`/sites/${world.ids.site}/values/page?text=pric&period=30d`)
    assert.match(text, /data-value="\/pricing"/)
    assert.match(await open(`/sites/${world.ids.site}/overview`), /<input id="what" name="what"[^>]*list="what-known"/)
  })
})

test('a pinned site comes first, then the site with most visitors; the address keeps the pins', () => {
  const url = new URL('https://stats.example.com/workspaces/ws_1/sites')
  const pinned = new URL(togglePin(url, 'pa_2'), url)
  assert.deepEqual(pinnedIn(pinned), ['pa_2'])
  assert.deepEqual(pinnedIn(new URL(togglePin(pinned, 'pa_2'), url)), [])
  const sites = [{ id: 'pa_1' }, { id: 'pa_2' }, { id: 'pa_3' }]
  const figures = new Map([['pa_3', { now: { visitors: 9 } } as never]])
  assert.deepEqual(
    inOrder(sites, { figures, pinned: pinnedIn(pinned) }).map(({ id }) => id),
    ['pa_2', 'pa_3', 'pa_1'],
  )
})

test('a draft adds, moves and removes items of a list, and leaves out what is not there', () => {
  const values = { steps: [{ path: '/a' }, { path: '/b' }] }
  const after = (text: string) => {
    const draft = draftIn(new URLSearchParams({ _draft: text })) ?? assert.fail(text)
    return drafted(values, draft).steps
  }
  assert.deepEqual(after('add /steps'), [{ path: '/a' }, { path: '/b' }, null])
  assert.deepEqual(after('up /steps/1'), [{ path: '/b' }, { path: '/a' }])
  assert.deepEqual(after('remove /steps/0'), [{ path: '/b' }])
  assert.deepEqual(after('remove /steps/7'), values.steps)
  assert.equal(draftIn(new URLSearchParams({ _draft: 'drop /steps' })), undefined)
})
