/** The kinds of records that can be restored, by their table. */
import type { Tables } from '../../../storage/tables/index.ts'

export interface Kind {
  readonly kind: string
  readonly restore: string
  /** Path of the operation. */
  readonly path: (place: { readonly siteId: string; readonly workspaceId: string }) => string
}

const ofSite = (kind: string, name: string): Kind => ({
  kind,
  restore: `${name}_restore`,
  path: ({ siteId }) => `/sites/${siteId}/${name}`,
})

export const kinds = {
  goals: ofSite('goal', 'goals'),
  saved_segments: ofSite('segment', 'segments'),
  notes: ofSite('note', 'notes'),
  funnels: ofSite('funnel', 'funnels'),
  shared_links: ofSite('shared_link', 'shared_links'),
  dashboards: { kind: 'dashboard', restore: 'dashboards_restore', path: ({ workspaceId }) => `/workspaces/${workspaceId}/dashboards` },
  alerts: { kind: 'alert', restore: 'alerts_restore', path: () => '/alerts' },
  uptime_checks: { kind: 'check', restore: 'uptime_checks_restore', path: () => '/uptime/checks' },
} as const satisfies { readonly [T in keyof Tables]?: Kind }

export const kindNames = Object.values(kinds).map(({ kind }) => kind)

export const kindOf = (table: string): Kind | undefined => (Object.hasOwn(kinds, table) ? kinds[table as keyof typeof kinds] : undefined)
