import { area } from '../../../runtime/table/area.ts'
import * as choices from './choices.ts'
import * as operations from './operations.ts'

export default area({
  name: 'Experiments',
  description: 'Experiments: A/B tests that compare variants.',
  manual: '/documentation/analytics#6-single-reports',
  section: 'Analytics',
  operations: [operations, choices],
  views: () => import('./pages.tsx'),
  everyday: ['experiments_report'],
  asked: {
    experiments_report:
      'a/b test, ab test, split test, experiment result, which variant won, winning variant, variants, statistical significance, statistically significant, control group, uplift, difference between variants, version a, version b, which version is better, better version',
  },
})
