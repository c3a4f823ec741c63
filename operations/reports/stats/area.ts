import { area } from '../../../runtime/area.ts'
import * as operations from './operations.ts'
import * as tasks from './tasks.ts'

export default area({
  name: 'Analytics',
  description: 'Reports: headline metrics, series over time, and the top values of a dimension.',
  operations,
  everyday: ['stats_overview', 'stats_aggregate', 'stats_timeseries', 'stats_breakdown'],
  tasks,
})
