/** Exports of this area for other areas. */
export {
  availabilityOf,
  type Maintenance,
  maintenanceSince,
  percentOf,
  type Period,
  timeSpent,
  windows,
} from './availability.ts'
export { SiteUptime, siteUptime } from './site-uptime.ts'
