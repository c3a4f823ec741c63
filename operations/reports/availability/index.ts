/** Exports of this area for other areas. */
export {
  type Availability,
  availabilityOf,
  type Maintenance,
  maintenanceSince,
  percentOf,
  type Period,
  timeSpent,
  upPercent,
  windows,
} from './availability.ts'
export { SiteUptime, siteUptime } from './site-uptime.ts'
