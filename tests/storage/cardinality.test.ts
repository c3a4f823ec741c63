/** New texts of a site and day: beyond the limit, and only there, they become `(other)`. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { dictionaryOf, propertyDictionary } from '../../storage/hits/dictionaries.ts'
import { type HitStore, openHitStore } from '../../storage/hits/hit-store.ts'
import { forgetVisitors } from '../../storage/hits/retention.ts'
import type { Store } from '../../storage/store.ts'
import { randomBytes } from '../support/chance.ts'
import { onEachEngine } from '../support/engines.ts'
import { makeSite, startService } from '../support/world.ts'
import { DAY, event, hit, HOUR, MIDNIGHT, MINUTE } from './new-hits.ts'
import { storedVisits } from './stored-hits.ts'

onEachEngine('limits of new texts', engine => {
  let store: Store
  let drop: () => Promise<void>
  let site = 0
  const open: HitStore[] = []

  before(async () => {
    ;({ store, drop } = await engine.create())
  })
  after(async () => {
    await Promise.all(open.map(hits => hits.close()))
    await drop()
  })

  const behaviour = (name: string, run: () => Promise<void>) =>
    test(name, async () => {
      site++
      await run()
    })
  /** A store in a newly started process. */
  const restarted = (): HitStore => {
    const limits = { paths: 3, names: 2, values: 2 }
    const hits = openHitStore(store, { now: () => MIDNIGHT + 2 * DAY, randomBytes, limits })
    open.push(hits)
    return hits
  }
  const seen = (page: string, at = MIDNIGHT + HOUR) => hit({ site, page, at })
  const pages = async () => {
    const visits = (await storedVisits(store, site)).flat()
    return visits
      .flatMap(visit => visit.hits)
      .toSorted((a, b) => a.at - b.at)
      .map(({ page }) => page)
  }
  const texts = async (dim: number) => {
    const rows = await store.read
      .selectFrom('dict')
      .select('value')
      .where('site_id', '=', site)
      .where('dim', '=', dim)
      .orderBy('id')
      .execute()
    return rows.map(({ value }) => value)
  }

  behaviour('what was known stays itself, what is beyond the limit is (other), in one batch as in many', async () => {
    const hits = restarted()
    await hits.append(['/a', '/b', '/c', '/d', '/a', '/e'].map((page, i) => seen(page, MIDNIGHT + HOUR + i)))
    await hits.append(['/f', '/c', '/d'].map((page, i) => seen(page, MIDNIGHT + 2 * HOUR + i)))
    const [first = [], second = []] = [(await pages()).slice(0, 6), (await pages()).slice(6)]
    assert.deepEqual(first, ['/a', '/b', '/c', '(other)', '/a', '(other)'])
    assert.deepEqual(second, ['(other)', '/c', '(other)'])
    assert.deepEqual(await texts(dictionaryOf.page), ['/a', '/b', '/c', '(other)'])
    const visits = (await storedVisits(store, site)).flat()
    assert.deepEqual(visits.map(({ entryPage, exitPage }) => [entryPage, exitPage]).sort(), [
      ['(other)', '(other)'],
      ['/a', '(other)'],
    ])
  })

  behaviour('the limit is the same after a restart, and for several processes', async () => {
    await restarted().append([seen('/a'), seen('/b')])
    await restarted().append([seen('/c')])
    const [one, other] = [restarted(), restarted()]
    await one.append([seen('/d', MIDNIGHT + HOUR + 1)])
    await other.append([seen('/e', MIDNIGHT + HOUR + 2)])
    assert.deepEqual(await texts(dictionaryOf.page), ['/a', '/b', '/c', '(other)'])
  })

  behaviour('another day has its own', async () => {
    const hits = restarted()
    await hits.append(['/a', '/b', '/c', '/d'].map(page => seen(page)))
    await hits.append([seen('/d', MIDNIGHT + DAY + HOUR), seen('/e', MIDNIGHT + HOUR), seen('/e', MIDNIGHT + DAY + HOUR)])
    assert.deepEqual(await texts(dictionaryOf.page), ['/a', '/b', '/c', '(other)', '/d', '/e'])
    assert.equal((await pages()).filter(page => page === '(other)').length, 2)
  })

  behaviour('each property counts its own values; keys and names of events are counted too', async () => {
    const hits = restarted()
    const at = (i: number) => ({ site, at: MIDNIGHT + HOUR + i * MINUTE })
    await hits.append(
      ['1', '2', '3', '1'].map((value, i) =>
        event('e', {
          ...at(i),
          props: [
            ['k', value, null],
            ['l', `${value}!`, null],
          ],
        }),
      ),
    )
    await hits.append([
      event('e', {
        ...at(5),
        props: [
          ['m', 'x', null],
          ['n', 'y', null],
          ['k', '2', null],
        ],
      }),
    ])
    await hits.append(['f', 'g', 'h'].map((name, i) => event(name, at(6 + i))))
    assert.deepEqual(await texts(dictionaryOf.prop_key), ['k', 'l', '(other)'])
    assert.deepEqual(await texts(propertyDictionary(1)), ['1', '2', '(other)'])
    assert.deepEqual(await texts(propertyDictionary(2)), ['1!', '2!', '(other)'])
    assert.deepEqual(await texts(dictionaryOf.event), ['e', 'f', '(other)'])
    const props = (await storedVisits(store, site)).flat().flatMap(visit => visit.hits.map(hit => hit.props))
    assert.deepEqual(props.slice(0, 5), [
      { k: '1', l: '1!' },
      { k: '2', l: '2!' },
      { k: '(other)', l: '(other)' },
      { k: '1', l: '1!' },
      { '(other)': 'x', k: '2' },
    ])
  })

  behaviour('the counts go with the day’s visitors', async () => {
    await restarted().append([seen('/a')])
    const counts = () => store.read.selectFrom('new_texts').selectAll().where('site_id', '=', site).execute()
    assert.deepEqual(
      (await counts()).filter(({ dim }) => dim === dictionaryOf.page).map(({ count }) => count),
      [1],
    )
    await forgetVisitors(store, MIDNIGHT + 3 * DAY)
    assert.deepEqual(await counts(), [])
  })
})

onEachEngine('limits of new texts, as settings', engine => {
  test('reports show (other), and filters find it', async () => {
    const service = await startService(engine, { CARDINALITY_PATHS: 2, CARDINALITY_VALUES: 1 })
    const { ids, token } = await makeSite(service)
    const { domain } = await service.store.read
      .selectFrom('sites')
      .select('domain')
      .where('id', '=', ids.site ?? '')
      .executeTakeFirstOrThrow()
    for (const [i, page] of ['/1', '/2', '/3', '/4', '/2'].entries()) {
      const sent = await service.web.request('/api/event', {
        method: 'POST',
        headers: { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0' },
        body: JSON.stringify({ n: 'Read', u: `https://${domain}${page}`, d: domain, p: { chapter: `${i % 2}` } }),
      })
      assert.equal(sent.status, 202)
      assert.equal(
        (
          await service.web.request('/api/event', {
            method: 'POST',
            headers: { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0' },
            body: JSON.stringify({ n: 'pageview', u: `https://${domain}${page}`, d: domain }),
          })
        ).status,
        202,
      )
    }
    const report = async (dimension: string, query = '') => {
      const url = `/sites/${ids.site}/breakdown/${dimension}.json?period=today${query}`
      const answer = await service.web.request(url, { headers: { Authorization: `Bearer ${token}` } })
      assert.equal(answer.status, 200, await answer.clone().text())
      return (await answer.json()).data.rows.map((row: { value: string; pageviews?: number }) => [row.value, row.pageviews])
    }
    assert.deepEqual((await report('page')).sort(), [
      ['(other)', 2],
      ['/1', 1],
      ['/2', 2],
    ])
    assert.deepEqual(await report('page', `&filters=${encodeURIComponent('[["page","is","(other)"]]')}`), [['(other)', 2]])
    assert.deepEqual((await report('property:chapter')).map(([name]: [string]) => name).sort(), ['(other)', '0'])
    await service.close()
  })
})
