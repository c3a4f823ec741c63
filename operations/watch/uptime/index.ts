/** Public functions of uptime checks for other areas. */
export { maintenanceAt, planMaintenance } from './maintenance.ts'
export { dayOf, recentDays } from './days.ts'
export { hourlyAverages } from './response-times.ts'
export { meanResponseTimes } from './mean-response-times.ts'
