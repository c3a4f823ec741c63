/** Sites, and their goals, notes and settings. */
import { text, int, bigint, oneOf, serial, instant, flag, json, reference, nullable, unique, withDefault } from '../schema/column.ts'
import { type Row, table } from '../schema/table.ts'

export const sites = table(
  {
    id: unique(text),
    /** Short key of the site in the tables of hits. */
    number: serial,
    /** `site`; `group`: the sites in `group_sites`; `all`: all sites of the workspace. */
    kind: withDefault(oneOf('site', 'group', 'all'), 'site'),
    workspace_id: text,
    name: text,
    /** Null once the site is deleted, so that the domain is free; and of a group. */
    domain: nullable(unique(text)),
    timezone: text,
    /** Days that began before may be stored with the boundaries of an earlier time zone; null: none are. */
    old_days_before: nullable(instant),
    /** Days before this time have been cut by the present zone; null: none have. */
    old_days_from: nullable(instant),
    currency: text,
    public: flag,
    /** ISO weekday, 1 = Monday. */
    week_start: int,
    umami_id: nullable(unique(text)),
    /** JSON list of `site_aliases`, for readers of the site. */
    aliases: withDefault(json, '[]'),
    /** Names of query parameters that are part of a page. */
    page_parameters: withDefault(json, '[]'),
    /** Hosts that do not count as sources of visits. */
    ignored_referrers: withDefault(json, '[]'),
    /** Whether payment providers and sign-in pages do not count as sources. */
    ignore_known_referrers: withDefault(flag, 1),
    /** Whether other sites of the workspace do not count as sources. */
    ignore_own_sites: withDefault(flag, 0),
    /** `off`, or `declared`: the site sends ids of persons. */
    identity: withDefault(text, 'off'),
    /** Whether these ids are kept, in addition to their HMAC. */
    identity_names: withDefault(flag, 0),
    /** JSON list: name and type of each trait that is kept. */
    identity_traits: withDefault(json, '[]'),
    /** Key of the HMAC, sealed; null before identity was first switched on. */
    identity_key: nullable(text),
    /** Raised when writers of hits have to forget the ids of texts that they know. */
    texts_forgotten: withDefault(int, 0),
    /** Whether single visits are listed. */
    visit_list: withDefault(flag, 1),
    created_at: instant,
    /** Time of the deletion. A task then removes the hits. */
    deleted_at: nullable(instant),
  },
  { key: ['number'], indexes: [['workspace_id']] },
)
export type SiteRow = Row<typeof sites>

/** Other names of a site, whose hits count for it. */
export const site_aliases = table(
  {
    /** A domain, or an id of another product. */
    name: text,
    site_id: reference('sites'),
    /** Null: for good. */
    until: nullable(instant),
  },
  { key: ['name'], clustered: true, indexes: [['site_id'], ['until']] },
)
export type SiteAliasRow = Row<typeof site_aliases>

/** The offer of a site to another workspace. */
export const site_offers = table(
  {
    site_id: reference('sites'),
    /** Hash of the code. */
    hash: unique(text),
    /** The only workspace that may accept; null: any. It is what the caller named, and may not exist. */
    for_workspace: nullable(text),
    /** The member who created the code, and their token if they used one. The code ends with their rights; null: it has ended. */
    member_id: nullable(reference('members')),
    token_id: nullable(text),
    created_at: instant,
    expires_at: instant,
  },
  { key: ['site_id'], clustered: true, indexes: [['member_id']] },
)
export type SiteOfferRow = Row<typeof site_offers>

/** A merge of two sites: the history of one moves into the other. */
export const site_merges = table(
  {
    id: text,
    /** The site that gives its history, and the name that it had. */
    site_id: reference('sites'),
    domain: text,
    into_site_id: reference('sites'),
    /** Numbers of what was moved so far. */
    visits: int,
    hits: int,
    /** Percent of the days. */
    progress: int,
    requested_at: instant,
    finished_at: nullable(instant),
  },
  { indexes: [['site_id'], ['into_site_id', 'requested_at']] },
)
export type SiteMergeRow = Row<typeof site_merges>

/** The sites of a group. Those that were deleted, or moved to another workspace, are not among them while they are. */
export const group_sites = table(
  {
    group_id: reference('sites'),
    site_id: reference('sites'),
  },
  { key: ['group_id', 'site_id'], indexes: [['site_id']] },
)
export type GroupSiteRow = Row<typeof group_sites>

export const notes = table(
  {
    id: text,
    site_id: reference('sites'),
    at: instant,
    text: text,
    author: text,
    created_at: instant,
    updated_at: instant,
  },
  { indexes: [['site_id', 'at']] },
)
export type NoteRow = Row<typeof notes>

export const goals = table(
  {
    id: text,
    site_id: reference('sites'),
    name: text,
    kind: text,
    /** Page pattern with `*`, for page goals. */
    path: nullable(text),
    event: nullable(text),
    property: nullable(text),
    value: nullable(text),
    /** JSON list of further properties and their values. */
    properties: withDefault(json, '[]'),
    /** RE2 pattern of pages, instead of a path. */
    regex: nullable(text),
    /** Percent of a page, for scroll goals. */
    depth: nullable(int),
    duration_seconds: nullable(int),
    /** CSS selector, for click goals. */
    selector: nullable(text),
    /** The worth of a completion, in minor units; or the property with that amount. */
    value_amount: nullable(bigint),
    value_property: nullable(text),
    created_at: instant,
    updated_at: instant,
  },
  { unique: [['site_id', 'name']] },
)
export type GoalRow = Row<typeof goals>

export const saved_segments = table(
  {
    id: text,
    site_id: reference('sites'),
    name: text,
    filters: json,
    created_at: instant,
    updated_at: instant,
  },
  { unique: [['site_id', 'name']] },
)
export type SavedSegmentRow = Row<typeof saved_segments>
