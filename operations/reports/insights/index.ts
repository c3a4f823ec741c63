export { insightDays, insights } from './insights.ts'
