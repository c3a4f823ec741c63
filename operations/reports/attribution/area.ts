import { area } from '../../../runtime/table/area.ts'
import * as operations from './operations.ts'

export default area({
  name: 'Attribution',
  description: 'Attribution: the visits that led to a goal or a purchase.',
  manual: '/documentation/analytics#6-single-reports',
  section: 'Analytics',
  operations,
  views: () => import('./pages.tsx'),
  asked: {
    attribution_get:
      'attribution, attribution model, first touch, last touch, multi-touch, which channel brings conversions, which source brings buyers, which campaign brought revenue, paths to conversion, time decay, assisted conversions',
  },
})
