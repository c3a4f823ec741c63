/** What other areas may use of this one. */
export { type Availability, availabilityOf, type Period, upPercent, windows } from './availability.ts'
export { SiteUptime, siteUptime } from './site-uptime.ts'
