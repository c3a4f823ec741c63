export { comparedPeriods, insights } from './insights.ts'
