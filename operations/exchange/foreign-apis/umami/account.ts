/** Umami’s API for accounts and websites. The password of a sign-in is an API token of ours, and so is the token that it answers. */
import type { OwnSite } from '../answers.ts'
import { type Asked, type ForeignApi, type Refused, refuse } from '../format.ts'
import { siteNamed } from '../named-site.ts'
import { namedInQuery } from './question.ts'

const codes: Readonly<Record<number, string>> = {
  400: 'bad-request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  413: 'bad-request',
  429: 'too-many-requests',
  503: 'server-error',
}

const websiteInputs: Readonly<Record<string, string>> = { umami_id: 'id', per_page: 'pageSize' }

/** A website of others is answered as one that is not there: 401, as theirs does. */
const statusOf = ({ status }: Refused): number => (status === 422 ? 400 : status === 404 ? 401 : status)

export const umami = (answer: ForeignApi['answer']): ForeignApi => ({
  answer,
  named: fault => websiteInputs[fault.path[0] ?? ''] ?? namedInQuery(fault),
  status: statusOf,
  refusal(refused) {
    const status = statusOf(refused)
    return { error: { message: refused.message, code: codes[status] ?? 'bad-request', status } }
  },
})

async function userOf(asked: Asked) {
  const { data } = await asked.call('caller_get')
  return { id: data.workspace_id, username: data.email, role: 'user', createdAt: null, isAdmin: false, teams: [] }
}

export const login = umami(async asked => {
  const { password } = asked.body
  if (typeof password !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(password)) refuse(401, 'Send an API token of Footfall as the password.')
  const signedIn = asked.with(password)
  return { token: password, user: await userOf(signedIn) }
})

export const verify = umami(userOf)
export const me = umami(async asked => ({ token: asked.token, user: await userOf(asked) }))
/** A token is revoked in the settings of the workspace. */
export const logout = umami(async () => ({ ok: true }))
export const teams = umami(async asked => {
  await asked.call('caller_get')
  return { data: [], count: 0, page: 1, pageSize: 20 }
})

const websiteOf = ({ id, umami_id, workspace_id, name, domain, created_at }: OwnSite) => ({
  id: umami_id ?? id,
  name,
  domain: domain ?? name,
  shareId: null,
  resetAt: null,
  userId: workspace_id,
  teamId: null,
  createdBy: workspace_id,
  createdAt: created_at,
  updatedAt: created_at,
  deletedAt: null,
})

const countIn = (asked: Asked, name: string, { otherwise, most }: { otherwise: number; most: number }): number => {
  const given = asked.query.get(name)
  if (given === null || given === '') return otherwise
  return /^\d{1,7}$/.test(given) && Number(given) >= 1 ? Math.min(Number(given), most) : refuse(400, `${name} is a number from 1.`)
}

export const websites = umami(async asked => {
  const page = countIn(asked, 'page', { otherwise: 1, most: 1_000_000 })
  const pageSize = countIn(asked, 'pageSize', { otherwise: 20, most: 100 })
  const search = asked.query.get('search') ?? asked.query.get('query') ?? ''
  const { data, meta } = await asked.call(
    'sites_list',
    { workspace_id: await asked.workspace() },
    { page, per_page: pageSize, ...(search !== '' && { search }) },
  )
  return { data: data.map(websiteOf), count: meta.total, page, pageSize, orderBy: 'name', ...(search !== '' && { search }) }
})

export const idIn = async (asked: Asked): Promise<string> => (await siteNamed(asked.db, asked.path.websiteId, asked.now)).id

export const website = umami(async asked => websiteOf((await asked.call('sites_get', { site_id: await idIn(asked) })).data))

export const websiteCreate = umami(async asked => {
  const { name, domain, id } = asked.body
  const { data } = await asked.call(
    'sites_create',
    { workspace_id: await asked.workspace() },
    { domain, ...(name !== undefined && { name }), ...(typeof id === 'string' && { umami_id: id }) },
  )
  return websiteOf(data)
})

export const websiteUpdate = umami(async asked => {
  const { name, domain } = asked.body
  const changed = { ...(name !== undefined && { name }), ...(domain !== undefined && { domain }) }
  const { data } = await asked.call('sites_update', { site_id: await idIn(asked) }, changed)
  return websiteOf(data)
})

export const websiteDelete = umami(async asked => {
  const site_id = await idIn(asked)
  const { data } = await asked.call('sites_get', { site_id })
  await asked.call('sites_delete', { site_id }, { confirm: data.domain ?? data.name })
  return { ok: true }
})

/** Reports and segments that are saved with them: none are here. */
export const noneSaved = umami(async asked => {
  await asked.call('sites_get', { site_id: await idIn(asked) })
  return { data: [], count: 0, page: 1, pageSize: 20 }
})
/** Data that they keep of sessions: it belongs to people here. */
export const noData = umami(async asked => {
  await asked.call('sites_get', { site_id: await idIn(asked) })
  return []
})
/** `GET /api/reports?websiteId=…` */
export const reports = umami(async asked => {
  const { id } = await siteNamed(asked.db, asked.query.get('websiteId') ?? '', asked.now)
  await asked.call('sites_get', { site_id: id })
  return { data: [], count: 0, page: 1, pageSize: 20 }
})
export const report = umami(async () =>
  refuse(400, 'Reports are operations of Footfall: funnels_get, retention_get, attribution_get and stats_query.'),
)
export const heartbeat = umami(async () => ({ ok: true }))
