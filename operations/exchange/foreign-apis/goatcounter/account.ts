/** GoatCounter’s API for the user and the sites of a token. */
import type { OwnSite } from '../answers.ts'
import { type Asked, type ForeignApi, refuse } from '../format.ts'
import { siteNamed } from '../named-site.ts'
import { goatcounter, siteOf } from './form.ts'

/** Their bits of the permissions of a token. */
const bits: Readonly<Record<string, number>> = { 'sites.manage': 2 | 32, 'analytics.read': 8 | 64 }

export const me = goatcounter(async asked => {
  const { data } = await asked.call('caller_get')
  const permissions = data.permissions.reduce((all, name) => all | (bits[name] ?? 0), 0)
  const user = { id: 1, site: 1, email: data.email, email_verified: true, totp_enabled: false, access: { all: 'a' }, settings: {} }
  return { user, token: { name: data.name, permissions, sites: [-1] } }
})

const shown = ({ domain, name, created_at }: OwnSite, id: number) => ({
  id,
  parent: null,
  cname: domain,
  cname_setup_at: null,
  code: domain ?? name,
  link_domain: domain ?? '',
  setttings: {}, // spelt as theirs
  user_defaults: {},
  received_data: true,
  state: 'a',
  created_at,
  updated_at: null,
  first_hit_at: created_at,
})

const MAX_SITES = 100

export const sites = goatcounter(async asked => {
  const { data } = await asked.call('sites_list', { workspace_id: await asked.workspace() }, { per_page: MAX_SITES })
  const numbers = await numbersOf(asked, data)
  return { sites: data.map(each => shown(each, numbers.get(each.id) ?? 0)) }
})

async function numbersOf({ db }: Asked, found: readonly OwnSite[]): Promise<ReadonlyMap<string, number>> {
  if (found.length === 0) return new Map()
  const ids = found.map(({ id }) => id)
  const rows = await db.selectFrom('sites').select(['id', 'number']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, number }) => [id, number]))
}

/** @param asked `id` is the number of a site, as answered, or its domain */
export const site = goatcounter(async asked => {
  const named = asked.path.id ?? ''
  const row = /^\d{1,9}$/.test(named)
    ? await asked.db.selectFrom('sites').select(['id', 'number']).where('number', '=', Number(named)).executeTakeFirst()
    : await siteNamed(asked.db, named, asked.now)
  const { data } = await asked.call('sites_get', { site_id: row?.id ?? 'pa_unknown' })
  return shown(data, row?.number ?? 0)
})

const leftOut = (instead: string): ForeignApi => goatcounter(async () => refuse(404, instead))

export const siteChange = leftOut(
  'Sites are created and changed with POST /workspaces/{workspace_id}/sites and PATCH /sites/{site_id} of Footfall.',
)
export const exporting = leftOut('Files are exported with POST /sites/{site_id}/exports of Footfall.')

/** Says that the token works: the site is known, and may be seen. */
export const test = goatcounter(async asked => {
  await siteOf(asked)
  return {}
})
