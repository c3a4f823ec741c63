import { Type } from '@sinclair/typebox'
import { type Caller, maySee } from '../../../runtime/table/caller.ts'
import { failWith } from '../../../runtime/table/errors.ts'
import { operation } from '../../../runtime/table/operation.ts'
import { Id, optional } from '../../../runtime/table/schema.ts'
import { isPlausibleId } from '../../../runtime/values/ids.ts'
import { type LiveSite, site as siteSubject } from '../../sites/sites/records.ts'
import type { Db } from '../../../storage/store.ts'
import { workspace } from '../../people/workspaces/records.ts'
import { engine } from '../../reports/stats/index.ts'
import { documents } from '../documentation/index.ts'
import { seenIn } from './in-site.ts'
import { ownKinds } from './record-kinds.ts'
import { type Match, matches, matchOf, SearchResults } from './records.ts'
import { m } from './messages.ts'

/** Maximum number of sites whose goals, notes, segments … are searched if no site is named. */
const maxSites = 20

interface Found {
  readonly kind: string
  readonly id: string
  readonly names: readonly string[]
  readonly siteId: string | null
  readonly path: string
  readonly createdAt?: string
}

export const search_query = operation({
  route: 'GET /workspaces/{workspace_id}/search',
  summary: 'Find anything by its name',
  description:
    'Sites, goals, alerts, members and whatever else the caller may list, pages of the manual and operations; with `site_id` ' +
    'also pages, events, properties and sources of the site. Exact names first, then beginnings, words and parts.',
  place: 'top',
  access: 'analytics.read',
  on: workspace,
  effect: 'read',
  input: {
    q: Type.String({ minLength: 1, maxLength: 100, description: 'Text to search for, case-insensitive.' }),
    kinds: optional(
      Type.Array(Type.String({ maxLength: 40 }), {
        maxItems: 30,
        description: 'Finds only these kinds: `site`, `goal`, `page`, `documentation` …',
      }),
    ),
    site_id: optional(Id({ description: 'Finds only records of this site, and pages, events, properties and sources of its visitors.' })),
    limit: Type.Integer({ unit: 'count', default: 20, minimum: 1, maximum: 50, description: 'Maximum number of results.' }),
  },
  output: SearchResults,
  examples: [
    { input: { workspace_id: '{{workspace}}', q: 'sign' } },
    { summary: 'In a site', input: { workspace_id: '{{workspace}}', q: 'pricing', site_id: '{{site}}', kinds: ['page', 'goal'] } },
  ],
  async run({ db, workspace, caller, input, now, use, config, operations, listed, listedKinds }) {
    const wanted = input.q.trim().toLowerCase()
    const known = [...listedKinds(), ...ownKinds]
    failWith(
      (input.kinds ?? []).flatMap((kind, i) =>
        known.includes(kind)
          ? []
          : [{ pointer: `/kinds/${i}`, code: 'not_in_enum' as const, message: m.kind_must_be({ index: i, kinds: known }) }],
      ),
    )
    const kinds = input.kinds ? new Set(input.kinds) : null
    const site = input.site_id === undefined ? null : await siteOf(db, { caller, workspaceId: workspace.id, id: input.site_id })
    if (input.site_id !== undefined && !site) failWith([{ pointer: '/site_id', code: 'not_found', message: m.site_must_be() }])
    const sites = site
      ? [site]
      : (await listed({ workspaceId: workspace.id, siteIds: [], kinds: new Set(['site']), search: '' })).slice(0, maxSites)
    const records = await listed({ workspaceId: workspace.id, siteIds: sites.map(({ id }) => id), kinds, search: '' })
    const found: Found[] = site ? records.filter(({ id, siteId }) => id === site.id || siteId === site.id) : [...records]
    if (site) found.push(...(await seenIn({ site, wanted, kinds, limit: input.limit }, { db, now, engine: use(engine) })))
    if (!site && kinds?.has('operation') !== false)
      for (const { id, summary, path } of operations()) found.push({ kind: 'operation', id, names: [summary, id], siteId: null, path })
    if (!site && kinds?.has('documentation') !== false)
      for (const { slug, title, sections } of await use(documents))
        found.push({
          kind: 'documentation',
          id: slug,
          names: [title, ...sections.map(({ heading }) => heading)],
          siteId: null,
          path: `/documentation/${slug}`,
        })
    const rows = found
      .flatMap(one => {
        const match = bestOf([...one.names, one.id].map(name => matchOf(name.toLowerCase(), wanted)))
        return match ? [{ ...one, match }] : []
      })
      .sort((a, b) => rankOf(a.match) - rankOf(b.match) || ((a.createdAt ?? '') < (b.createdAt ?? '') ? 1 : -1))
      .slice(0, input.limit)
    return {
      rows: rows.map(({ kind, id, names: [name = id], siteId, path, match }) => ({
        kind,
        id,
        name,
        site_id: siteId,
        url: config.BASE_URL + path,
        match,
      })),
    }
  },
})

/** Finds a site; null if the caller may see no such site. */
async function siteOf(db: Db, { caller, workspaceId, id }: { caller: Caller; workspaceId: string; id: string }): Promise<LiveSite | null> {
  const found = isPlausibleId(id) ? await siteSubject.find(db, id) : undefined
  return found && 'workspaceId' in found && found.workspaceId === workspaceId && maySee(caller, workspaceId, id) ? found.row : null
}

const rankOf = (match: Match): number => matches.indexOf(match)
const bestOf = (all: readonly (Match | null)[]): Match | undefined => matches.find(match => all.includes(match))
