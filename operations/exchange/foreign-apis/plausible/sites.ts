/** Plausible’s Sites API: sites, goals and shared links. */
import { isObject } from '../../../../runtime/values/json.ts'
import type { Answers, OwnGoal, OwnSite } from '../answers.ts'
import { type Asked, type ForeignApi, Refused, refuse } from '../format.ts'
import { siteNamed } from '../named-site.ts'
import { shown } from './terms.ts'

const PER_PAGE = 100
/** Pages of a list in which one of a name is searched. */
const MAX_PAGES = 20

const api = (answer: ForeignApi['answer']): ForeignApi => ({
  answer,
  refusal: ({ status, message }: Refused) => ({ error: status === 404 ? `Site could not be found. ${message}` : message }),
  status: ({ status }) => (status === 422 ? 400 : status),
  named: ({ path: [name = ''] }) => ofInput[name],
})
const ofInput: Readonly<Record<string, string>> = {
  kind: 'goal_type',
  event: 'event_name',
  path: 'page_path',
  property: 'custom_props',
  value: 'custom_props',
  properties: 'custom_props',
}

const shortOf = ({ domain, id, timezone }: OwnSite) => ({ domain: domain ?? id, timezone })

/** The script of a site always does this; these settings cannot be changed here. */
const settings = {
  installation_type: null,
  track_404_pages: true,
  hash_based_routing: false,
  outbound_links: true,
  file_downloads: true,
  revenue_tracking: true,
  tagged_events: true,
  form_submissions: true,
  pageview_props: true,
}
/** A token that may only manage sites sees no properties. */
async function fullOf(asked: Asked, site: OwnSite) {
  const properties = await asked.call('event_properties_list', { site_id: site.id }, { per_page: PER_PAGE }).catch(thrown => {
    if (thrown instanceof Refused) return { data: [] }
    throw thrown
  })
  return {
    ...shortOf(site),
    custom_properties: keysOf(properties.data),
    tracker_script_configuration: { id: site.id, ...settings },
  }
}
const keysOf = (properties: Answers['event_properties_list']): string[] => properties.map(({ key }) => key)

/** `meta` of lists: their cursors are opaque, so a cursor is the number of a page. */
function pageIn(query: URLSearchParams): { page: number; limit: number } {
  const limit = Number(query.get('limit') ?? PER_PAGE)
  const cursor = query.get('after') ?? query.get('before')
  const page =
    cursor === null ? 1 : Number(/^p(\d{1,6})$/.exec(cursor)?.[1] ?? refuse(400, `'${shown(cursor)}' is not a cursor of this list.`))
  if (!Number.isInteger(limit) || limit < 1 || limit > PER_PAGE) refuse(400, `limit is a number from 1 to ${PER_PAGE}.`)
  return { page, limit }
}
const metaOf = ({ page, limit }: ReturnType<typeof pageIn>, total: number) => ({
  after: page * limit < total ? `p${page + 1}` : null,
  before: page > 1 ? `p${page - 1}` : null,
  limit,
})

export const sitesList = api(async asked => {
  const at = pageIn(asked.query)
  const { data, meta } = await asked.call('sites_list', { workspace_id: await asked.workspace() }, { page: at.page, per_page: at.limit })
  return { sites: data.map(shortOf), meta: metaOf(at, meta.total ?? 0) }
})

export const teamsList = api(async asked => {
  const { data } = await asked.call('caller_get')
  return { teams: [{ id: data.workspace_id, name: data.workspace_name, api_available: true }], meta: metaOf(pageIn(asked.query), 1) }
})

export const sitesCreate = api(async asked => {
  const { domain, timezone } = asked.body
  if (domain === undefined) refuse(400, 'domain can’t be blank')
  const { data } = await asked.call(
    'sites_create',
    { workspace_id: await asked.workspace() },
    { domain, ...(timezone !== undefined && { timezone: timezone === 'Etc/UTC' ? 'UTC' : timezone }) },
  )
  return fullOf(asked, data)
})

const idIn = async (asked: Asked, name: unknown): Promise<string> => (await siteNamed(asked.db, name, asked.now)).id
const inPath = (asked: Asked) => idIn(asked, asked.path.site_id)
const inBody = (asked: Asked) => idIn(asked, asked.body.site_id ?? asked.query.get('site_id'))

export const sitesGet = api(async asked => fullOf(asked, (await asked.call('sites_get', { site_id: await inPath(asked) })).data))

export const sitesUpdate = api(async asked => {
  const site_id = await inPath(asked)
  const { domain } = asked.body
  const { data } = await (domain === undefined ? asked.call('sites_get', { site_id }) : asked.call('sites_update', { site_id }, { domain }))
  return fullOf(asked, data)
})

export const sitesDelete = api(async asked => {
  const site_id = await inPath(asked)
  const { data } = await asked.call('sites_get', { site_id })
  await asked.call('sites_delete', { site_id }, { confirm: data.domain ?? data.name })
  return { deleted: true }
})

export const sharedLinks = api(async asked => {
  const site_id = await inBody(asked)
  const { name } = asked.body
  if (typeof name !== 'string') refuse(400, 'name is required')
  const found = await foundIn(asked, { operation: 'shared_links_list', site_id }, name)
  const { data } = found ? { data: found } : await asked.call('shared_links_create', { site_id }, { name })
  return { name: data.name, url: data.url }
})

function goalOf({ id, name, kind, path, event, property, value, properties }: OwnGoal) {
  const conditions = [...(property === null ? [] : [{ property, value }]), ...properties]
  return {
    id,
    goal_type: kind === 'page' ? 'page' : 'event',
    display_name: name,
    event_name: kind === 'page' ? null : (event ?? name),
    page_path: kind === 'page' ? path : null,
    custom_props: Object.fromEntries(conditions.map(each => [each.property, each.value ?? ''])),
  }
}

export const goalsList = api(async asked => {
  const at = pageIn(asked.query)
  const { data, meta } = await asked.call('goals_list', { site_id: await inBody(asked) }, { page: at.page, per_page: at.limit })
  return { goals: data.map(goalOf), meta: metaOf(at, meta.total ?? 0) }
})

export const goalsPut = api(async asked => {
  const site_id = await inBody(asked)
  const { goal_type, event_name, page_path, display_name, custom_props = {} } = asked.body
  if (goal_type !== 'event' && goal_type !== 'page') refuse(400, 'goal_type is `event` or `page`')
  const isPage = goal_type === 'page'
  const what = isPage ? page_path : event_name
  if (typeof what !== 'string') refuse(400, isPage ? 'page_path is required' : 'event_name is required')
  if (!isObject(custom_props)) refuse(400, 'custom_props is a map of properties and their values')
  const name = display_name ?? (isPage ? `Visit ${what}` : what)
  const found = await foundIn(asked, { operation: 'goals_list', site_id }, name)
  const [first, ...others] = Object.entries(custom_props).map(([property, value]) => ({ property, value: String(value) }))
  const { data } = found
    ? { data: found }
    : await asked.call(
        'goals_create',
        { site_id },
        {
          name,
          kind: goal_type,
          ...(isPage ? { path: what } : { event: what }),
          ...first,
          ...(others.length > 0 && { properties: others }),
        },
      )
  return { domain: asked.body.site_id, ...goalOf(data) }
})

export const goalsDelete = api(async asked => {
  await asked.call('goals_delete', { site_id: await inBody(asked), id: asked.path.goal_id ?? '' })
  return { deleted: true }
})

export const propertiesList = api(async asked => ({
  custom_properties: keysOf((await asked.call('event_properties_list', { site_id: await inBody(asked) })).data).map(property => ({
    property,
  })),
}))

/** Every property that arrives is kept, so there is none to create. */
export const propertiesPut = api(async asked => {
  await asked.call('sites_get', { site_id: await inBody(asked) })
  return { created: true }
})

async function foundIn<O extends 'goals_list' | 'shared_links_list'>(
  asked: Asked,
  { operation, site_id }: { readonly operation: O; readonly site_id: string },
  name: unknown,
): Promise<Answers[O][number] | undefined> {
  for (let page = 1; page <= MAX_PAGES; page++) {
    const { data, meta } = await asked.call(operation, { site_id }, { page, per_page: PER_PAGE })
    const found = data.find(each => each.name === name)
    if (found !== undefined || page >= (meta.total_pages ?? 1)) return found
  }
  return undefined
}

/** Says that the service and its database answer. */
export const health = api(async ({ db }) => {
  await db.selectFrom('sites').select('number').limit(1).execute()
  return { clickhouse: 'ok', postgres: 'ok', sites_cache: 'ok' }
})
