/** What other areas may use of this one. */
export { type Availability, availabilityOf } from './availability.ts'
export { toCheck, UptimeCheck, UptimeCheckDetail } from './records.ts'
