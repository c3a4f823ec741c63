/** Two people change the same, by the form of every record that has one: neither undoes the other without knowing it. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { TSchema } from '@sinclair/typebox'
import { bare } from '../../runtime/ui/cell.tsx'
import { isList, spotsOf } from '../../adapters/pages/page-tree.ts'
import { hasForm } from '../../adapters/surfaces.ts'
import { filled } from '../../runtime/ui/words.ts'
import { table } from '../../operations/index.ts'
import { keepField } from '../../runtime/call/form-digests.ts'
import type { NamedOperation } from '../../runtime/table/table.ts'
import { versionedBy } from '../../runtime/table/record-versions.ts'
import { onAnyEngine } from '../support/engines.ts'
import { someOf } from '../support/full.ts'
import { type DrawnForm, formsIn, typedInto } from '../support/forms.ts'
import {
  callHttp,
  fill,
  makeWorldOf,
  ownPage,
  type Reply,
  request,
  startService,
  type TestService,
  tokenOf,
  type World,
} from '../support/world.ts'

const forms = [...table.operations.values()].filter(row => row.method === 'PATCH' && hasForm(row))
/** Their form is not about one record of its own, or not in the example world: who applied to be an affiliate. */
const without = new Set(['event_properties_update', 'events_update', 'affiliate_update'])

/** A secret of the answer is shown at once. */
const isSaved = ({ status }: Reply): boolean => status === 303 || status === 200

/** Other values that a field may have; those that it refuses are not tried further. */
function othersOf(given: TSchema, value: unknown): unknown[] {
  const { schema } = bare(given)
  if (schema.type === 'boolean') return [value !== true]
  if (schema.enum) return schema.enum.filter((each: unknown) => each !== value && each !== '')
  if (typeof value === 'number') return [value + 1, value - 1, value + 2, value - 2]
  if (typeof value === 'string')
    return ['more', 'other', 'third'].map(end => `${value}${/^https?:/.test(value) ? '/' : value.startsWith('/') ? '-' : ' '}${end}`)
  return []
}

onAnyEngine('changes by forms', engine => {
  let service: TestService
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())

  const { spotOf } = spotsOf(table)
  interface About {
    readonly row: NamedOperation
    readonly world: World
    readonly session: string
    readonly input: Readonly<Record<string, unknown>>
  }
  const aboutOf = async (row: NamedOperation): Promise<About> => {
    const world = await makeWorldOf(service, row)
    return { row, world, session: await world.sessionFor('owner'), input: fill(row.examples[0]?.input ?? {}, world) }
  }
  const pathOf = ({ row, input }: About) => Object.fromEntries(Object.keys(row.pathInput).map(name => [name, String(input[name])]))
  const recordOf = async (about: About): Promise<Record<string, unknown>> => {
    const read = versionedBy(table).get(about.row.id)?.read ?? assert.fail(about.row.id)
    const { status, text, body } = await callHttp(service, read, pathOf(about), tokenOf(about.world, read))
    assert.equal(status, 200, `${read.id}: ${text}`)
    return body.data
  }
  const patch = (about: About, change: Readonly<Record<string, unknown>>) =>
    callHttp(service, about.row, { ...pathOf(about), ...change }, tokenOf(about.world, about.row))

  /** The form of the operation, or those of its sections if its page has them in place; a view may have smaller ones. */
  const formsOf = (about: About, html: string): DrawnForm[] => {
    const action = `${filled(about.row.path, pathOf(about))}?_method=PATCH`
    const drawn = [...html.matchAll(/<section class="(?:card doing|settings)[^>]*>([^]*?<\/form>)/g)]
    const found = drawn.flatMap(([, section = '']) => formsIn(section)).filter(form => form.action === action)
    assert.ok(found.length > 0, `${about.row.id}: no form for ${action} in ${html.slice(0, 3_000)}`)
    return found
  }
  const formWith = (name: string, drawn: readonly DrawnForm[]): DrawnForm =>
    drawn.find(({ fields }) => fields.some(([field]) => field === `/${name}`)) ?? assert.fail(name)
  const draw = async (about: About): Promise<DrawnForm[]> => {
    const spot = spotOf.get(about.row.id) ?? assert.fail(about.row.id)
    const path = pathOf(about)
    const of = isList(spot.operation) ? spot.rowDoes.find(({ operation }) => operation === about.row)?.parameter : undefined
    const query = new URLSearchParams({ do: about.row.id, ...(of !== undefined && { [of]: path[of] ?? '' }) })
    const page = await request(service, 'GET', `${filled(spot.operation.path, path)}?${query}`, {
      token: about.session,
      headers: { Accept: 'text/html' },
    })
    assert.equal(page.status, 200, page.text.slice(0, 500))
    return formsOf(about, page.text)
  }
  const submit = ({ session }: About, form: DrawnForm, typed: Readonly<Record<string, string | undefined>> = {}) =>
    request(service, 'POST', form.action, {
      token: session,
      body: typedInto(form, typed),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html', ...ownPage },
    })
  /** A value as a person types it, for controls of one line. */
  const asTyped = (schema: TSchema, value: unknown) =>
    bare(schema).schema.unit === 'minor_units' ? String(Number(value) / 100) : String(value)

  /** Fields with values that the operation takes for them, by trying. */
  async function changeable(about: About, drawn: readonly DrawnForm[]): Promise<Map<string, unknown[]>> {
    const found = new Map<string, unknown[]>()
    const first = await recordOf(about)
    for (const [name, schema] of Object.entries<TSchema>(about.row.input.properties)) {
      if (!(name in first) || !drawn.some(({ fields }) => fields.some(([field]) => field === `/${name}`))) continue
      const taken: unknown[] = []
      for (const value of othersOf(schema, first[name])) {
        const { status } = await patch(about, { [name]: value })
        const now = await recordOf(about)
        const others = Object.keys(about.row.input.properties).filter(each => each !== name && each in first)
        if (status === 200 && now[name] === value && others.every(each => JSON.stringify(now[each]) === JSON.stringify(first[each])))
          taken.push(value)
        await patch(about, { [name]: first[name] })
      }
      if (taken.length > 0) found.set(name, taken)
    }
    return found
  }

  for (const row of someOf(
    forms.filter(({ id }) => !without.has(id)),
    7,
  ))
    test(`${row.id}: keeps what another saved meanwhile, and asks where both changed the same`, async () => {
      const about = await aboutOf(row)
      const untouched = await draw(about)
      const before = await recordOf(about)
      for (const form of untouched) {
        const same = await submit(about, form)
        assert.ok(
          isSaved(same),
          `untouched: ${same.text
            .replace(/<[^>]*>/g, ' ')
            .replace(/\s+/g, ' ')
            .slice(0, 1_500)}`,
        )
        const audited = await service.store.read
          .selectFrom('audit_entries')
          .selectAll()
          .where('workspace_id', '=', about.world.ids.workspace ?? '')
          .where('operation', '=', row.id)
          .orderBy('id', 'desc')
          .executeTakeFirst()
        const sent = JSON.parse(String((audited as Record<string, unknown> | undefined)?.input ?? '{}'))
        assert.deepEqual(
          Object.keys(sent).filter(name => !Object.hasOwn(row.pathInput, name) && row.input.properties[name]?.default !== sent[name]),
          [],
          'an untouched form changes nothing',
        )
      }
      const { updated_at: _, ...kept } = await recordOf(about)
      const { updated_at: __, ...there } = before
      assert.deepEqual(kept, there)

      const fields = await changeable(about, untouched)
      const [y, [other] = []] = [...fields].at(-1) ?? []
      const schemaOf = (name: string) => row.input.properties[name] as TSchema
      const controlOf = (name: string, value: unknown) => ({
        [`/${name}`]: asTyped(schemaOf(name), value),
      })
      const x = [...fields.keys()].find(name => name !== y)
      if (x !== undefined && y !== undefined) {
        const form = formWith(y, await draw(about))
        const [theirs] = fields.get(x) ?? []
        assert.equal((await patch(about, { [x]: theirs })).status, 200)
        const saved = await submit(about, form, controlOf(y, other))
        assert.ok(
          isSaved(saved),
          `${y}: ${saved.text
            .replace(/<[^>]*>/g, ' ')
            .replace(/\s+/g, ' ')
            .slice(0, 1_500)}`,
        )
        const now = await recordOf(about)
        assert.deepEqual([now[x], now[y]], [theirs, other], `${x} of another, ${y} of the form`)
        await patch(about, { [x]: before[x] }) // the form may have other fields by it
      }

      const [both, [theirs, mine] = []] = [...fields].find(([, values]) => values.length > 1) ?? []
      if (both === undefined) return
      await patch(about, { [both]: before[both] })
      for (const choice of ['theirs', 'mine'] as const) {
        const form = formWith(both, await draw(about))
        assert.equal((await patch(about, { [both]: theirs })).status, 200)
        const refused = await submit(about, form, controlOf(both, mine))
        assert.equal(refused.status, 409, both)
        const [, conflicts = ''] = /<div class="faults conflicts"[^>]*>([^]*?) name="\//.exec(refused.text) ?? []
        const shown = conflicts.replace(/<[^>]*>/g, ' ')
        if (typeof mine === 'string' && !bare(schemaOf(both)).schema.enum && !bare(schemaOf(both)).schema.format)
          for (const value of [mine, String(theirs)]) assert.ok(shown.includes(value), `${value} in ${shown}`)
        const again = formWith(both, formsOf(about, refused.text))
        assert.deepEqual(again.choices.get(keepField(both)), ['theirs', 'mine'], 'neither is chosen beforehand')
        assert.ok(!again.fields.some(([name]) => name === keepField(both)))
        assert.equal((await recordOf(about))[both], theirs)
        const chosen = await submit(about, again, { [keepField(both)]: choice })
        assert.ok(isSaved(chosen), chosen.text.slice(0, 1_000))
        assert.equal((await recordOf(about))[both], choice === 'mine' ? mine : theirs)
        await patch(about, { [both]: before[both] })
      }
    })

  test('account_update: its forms keep the typed text as well', async () => {
    const world = await makeWorldOf(service, table.operations.get('account_get') ?? assert.fail())
    const session = await world.sessionFor('editor')
    // The frame has a form of the theme, too.
    const ownForms = (text: string) =>
      formsIn(text.slice(text.indexOf('<main'))).filter(({ action }) => action === '/account?_method=PATCH')
    const open = async () => {
      const { text } = await request(service, 'GET', '/account', { token: session, headers: { Accept: 'text/html' } })
      const [you, looks] = ownForms(text)
      return { you: you ?? assert.fail(), looks: looks ?? assert.fail() }
    }
    const post = (form: DrawnForm, typed: Readonly<Record<string, string>>) =>
      request(service, 'POST', form.action, {
        token: session,
        body: typedInto(form, typed),
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html', ...ownPage },
      })
    const saved = async () => Object.fromEntries([...(await open()).looks.fields, ...(await open()).you.fields])
    const [first, second] = [await open(), await open()]
    assert.equal((await post(first.looks, { theme: 'dark' })).status, 303)
    assert.equal((await post(second.looks, { default_landing: 'last_site' })).status, 303)
    const { theme, default_landing } = await saved()
    assert.deepEqual([theme, default_landing], ['dark', 'last_site'], 'neither undid the other')
    const [third, fourth] = [await open(), await open()]
    assert.equal((await post(third.looks, { theme: 'light' })).status, 303)
    // Wrong in another field, and typed over again: the theme is still compared with the one that was seen.
    const wrong = await post(fourth.looks, { theme: 'system', timezone: 'Nowhere/At_all' })
    assert.equal(wrong.status, 422)
    const again = ownForms(wrong.text)[1] ?? assert.fail()
    const refused = await post(again, { timezone: 'Europe/Berlin' })
    assert.equal(refused.status, 409)
    assert.match(refused.text, /Meanwhile “light” was saved here/)
    assert.equal((await saved()).theme, 'light')
    const kept = ownForms(refused.text)[1] ?? assert.fail()
    const fields = Object.fromEntries(kept.fields)
    assert.deepEqual([fields.theme, fields.timezone, fields.default_landing], ['system', 'Europe/Berlin', 'last_site'])
    assert.equal((await post(kept, {})).status, 303)
    assert.equal((await saved()).theme, 'system')
  })

  test('a form that says nothing of what it was drawn from is saved as it is, and what it says is not believed blindly', async () => {
    const about = await aboutOf(table.operations.get('goals_update') ?? assert.fail())
    const [form = assert.fail()] = await draw(about)
    for (const drawn of [
      '',
      'name',
      'name:x',
      `name:${'a'.repeat(5_000)}`,
      'constructor:0000000000000000 __proto__:0000000000000000',
      'name:0000000000000000 '.repeat(3_000),
    ]) {
      const { status } = await submit(about, form, { _drawn: drawn, '/name': `Name ${drawn.length}` })
      assert.ok(status === 303 || status === 409, `${status} for ${drawn.slice(0, 40)}`)
    }
  })

  test('a form changes only its own fields, keeps fields that are left empty, and empties fields on request', async () => {
    const world = await makeWorldOf(service, table.operations.get('events_update') ?? assert.fail())
    const session = await world.sessionFor('owner')
    const { token, ids } = world
    const settings = `/sites/${ids.site}/events/settings`
    const api = (body: object) => request(service, 'PATCH', settings, { token, body: { name: 'signup', ...body } })
    assert.equal((await api({ display_name: 'Joined', hidden: true, currency: 'CHF' })).status, 200)
    const page = await request(service, 'GET', `/sites/${ids.site}/events?do=events_update`, {
      token: session,
      headers: { Accept: 'text/html' },
    })
    const form = formsIn(page.text).find(({ action }) => action.startsWith(settings)) ?? assert.fail(page.text.slice(0, 500))
    const post = (typed: Readonly<Record<string, string>>) =>
      request(service, 'POST', form.action, {
        token: session,
        body: typedInto(form, { '/name': 'signup', ...typed }),
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html', ...ownPage },
      })
    const now = async () => {
      const { display_name, hidden, currency } = (await api({})).body.data
      return [display_name, hidden, currency]
    }
    assert.equal((await post({ '/display_name': 'Registered' })).status, 303)
    assert.deepEqual(await now(), ['Registered', true, 'CHF'])
    assert.equal((await post({ '/hidden': 'false' })).status, 303)
    assert.deepEqual(await now(), ['Registered', false, 'CHF'])
    assert.equal((await post({ '_empty/display_name': 'true', '_empty/name': 'true' })).status, 303)
    assert.deepEqual(await now(), [null, false, 'CHF'])
  })
})
