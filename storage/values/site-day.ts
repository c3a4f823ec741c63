/** A day of a site. */
export interface SiteDay {
  /** Number of the site. */
  readonly site: number
  /** Number of the day: days since 1970-01-01 in the time zone of the site. */
  readonly day: number
}
